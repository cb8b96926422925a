export async function hello($) { await $.ui.toast('x') }

export function register(on) {
  on('prompt.compose', async ($, e, next) => { const r = await next(e); return { sections: [...r.sections, { id: 'a:b', text: String(Date.now()), scope: 'session' }] } })
}

export function register(on: any) {
  let asked = false
  on('turn.complete', async ($: any, e: any, next: any) => {
    const r = await next(e)
    if (!asked) {
      asked = true
      await $.prompt.submit({ text: 'the mod wants A noted' })
    }
    return r
  })
}

// Throws in every hook: at once, after a wait, and after next.
export function register(on: any) {
  on('prompt.submit', async () => {
    throw new TypeError('no prompt for me')
  })
  on('tool.call', async ($: any, e: any, next: any) => {
    await next(e)
    throw new RangeError(`too far with ${e.tool}`)
  })
  on('turn.complete', async ($: any) => {
    await $.clock.sleep(1)
    throw new Error('turned over')
  })
}

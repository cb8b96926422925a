export function register(on: any) {
  on('turn.complete', async ($: any, e: any, next: any) => {
    await next(e)
    return { text: 'that was all' }
  })
}

export function register(on: any) {
  on('prompt.submit', async ($: any, e: any, next: any) => {
    await next(e)
    return { drop: 'not this one' }
  })
}

const limit: number = 3
export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    limit = e.limit
    return next(e)
  })
}

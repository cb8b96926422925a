// Imports what only running it shows.
export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    const { secret } = await import(`/etc/${e.cwd}`)
    $.ui.log(secret)
    return next(e)
  })
}

export function register(on: any) {
  on('turn.complete', async ($: any, e: any, next: any) => next(e))
}

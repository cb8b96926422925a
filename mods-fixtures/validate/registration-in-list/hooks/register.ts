export function register(on: any, options: any) {
  [on('session.start', async ($, e, next) => next(e)), on('session.end', async ($, e, next) => next(e))]
  void [on('turn.start', async ($, e, next) => next(e))]
}

export function register(on) {
  on('turn.step', async ($, e, next) => next(e))
}

export function register(on) {
  on('session.start', async ($, e, next) => { new Function('return 1')(); return next(e) })
}

export function register(on) {
  on('session.start', async ($, e, next) => { setTimeout(() => {}, 1); return next(e) })
}

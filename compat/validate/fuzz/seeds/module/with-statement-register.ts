export function register(on) {
  on('session.start', async ($, e, next) => { const q = 1; return next(e) }) // with
}

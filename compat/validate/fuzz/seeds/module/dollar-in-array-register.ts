export function register(on) {
  on('session.start', async ($, e, next) => { const o = [$]; return next(e) })
}

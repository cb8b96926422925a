export function register(on) {
  on('session.start', async ($, e, next) => { await fetch('https://x.y'); return next(e) })
}

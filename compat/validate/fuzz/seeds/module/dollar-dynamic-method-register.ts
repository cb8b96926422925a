export function register(on) {
  on('session.start', async ($, e, next) => { const m = 'toast'; await $.ui[m]('x'); return next(e) })
}

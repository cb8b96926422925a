export function register(on) {
  on('session.start', async ($, e, next) => { const u = e.cwd; await $.http.fetch(u); return next(e) })
}

export function register(on) {
  on('session.start', async ($, e, next) => { await import('./lib.ts'); return next(e) })
}

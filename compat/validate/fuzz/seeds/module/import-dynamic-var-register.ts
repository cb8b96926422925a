export function register(on) {
  on('session.start', async ($, e, next) => { const p='./lib.ts'; await import(p); return next(e) })
}

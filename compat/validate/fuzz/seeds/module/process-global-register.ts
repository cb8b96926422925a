export function register(on) {
  on('session.start', async ($, e, next) => { process.exit(1); return next(e) })
}

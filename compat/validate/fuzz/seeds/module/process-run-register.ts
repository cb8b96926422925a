export function register(on) {
  on('session.start', async ($, e, next) => { await $.process.run(['git', 'status']); return next(e) })
}

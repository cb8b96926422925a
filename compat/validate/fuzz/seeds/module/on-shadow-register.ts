export function register(on) {
  { const on = () => {}; on('session.start') } on('session.start', async ($, e, next) => next(e))
}

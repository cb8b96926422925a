export function register(on) {
  function reg() { on('session.start', async ($, e, next) => next(e)) } reg()
}

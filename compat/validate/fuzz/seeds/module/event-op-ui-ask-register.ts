export function register(on) {
  on('ui.ask', async ($, e, next) => next(e))
}

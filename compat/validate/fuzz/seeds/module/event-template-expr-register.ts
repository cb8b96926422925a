export function register(on) {
  const a='start'; on(`session.${a}`, async ($, e, next) => next(e))
}

export function register(on) {
  on('classic.NoSuch', async ($, e, next) => next(e))
}

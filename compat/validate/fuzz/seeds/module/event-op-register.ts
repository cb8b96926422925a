export function register(on) {
  on('fs.read', async ($, e, next) => next(e))
}

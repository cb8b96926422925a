export function register(on) {
  on('session.start', async ($, e, next) => { if (typeof $ === 'object') {} return next(e) })
}

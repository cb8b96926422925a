export function register(on) {
  on('session.start', async ($, e, next) => { await $.nope.thing('x'); return next(e) })
}

export function register(on) {
  on('session.start', async ($, e, next) => { await $.env.get('HOME'); await $.env.set('X', '1'); return next(e) })
}

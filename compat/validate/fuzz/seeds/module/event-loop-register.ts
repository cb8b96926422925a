export function register(on) {
  for (const ev of ['session.start','session.end']) on(ev, async ($, e, next) => next(e))
}

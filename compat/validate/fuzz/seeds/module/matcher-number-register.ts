export function register(on) {
  on('turn.step', { index: 0 }, async function* ($, e, next) { return yield* next(e) })
}

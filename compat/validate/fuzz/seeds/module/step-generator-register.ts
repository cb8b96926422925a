export function register(on) {
  on('turn.step', async function* ($, e, next) { return yield* next(e) })
}

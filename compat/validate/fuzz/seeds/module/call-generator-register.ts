export function register(on) {
  on('tool.call', async function* ($, e, next) { return yield* next(e) })
}

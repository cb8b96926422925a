export function register(on) {
  on('tool.call', { command: /(?<word>rm)|(?<word>mv)/ }, async ($, e, next) => next(e))
  on('tool.call', { path: /(?<word>rm) (?<word>mv)/ }, async ($, e, next) => next(e))
}

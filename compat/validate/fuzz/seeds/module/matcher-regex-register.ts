export function register(on) {
  on('tool.call', { tool: /^mcp__x__/ }, async ($, e, next) => next(e))
}

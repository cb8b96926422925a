const TOOLS = ['Edit', 'Write']
export function register(on) { on('tool.call', { tool: TOOLS }, async ($, e, next) => next(e)) }

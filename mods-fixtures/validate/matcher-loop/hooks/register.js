const tools = ['Edit', 'Write']
export function register(on, options) {
  for (const tool of ['Edit', 'Write']) {
    if (options.quiet) continue
    on('tool.call', { tool, path: [tool, 'x'] }, async ($, e, next) => next(e))
  }
  for (const tool of tools) on('tool.check', { tool }, async ($, e, next) => next(e))
  for (let tool of ['Edit']) on('tool.describe', { tool }, async ($, e, next) => next(e))
  for (const tool of ['Edit', /Write/]) on('tool.call', { command: tool }, async ($, e, next) => next(e))
}

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    await $.tool.register({ name: 'count', description: 'Counts words.', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } })
    return next(e)
  })
  on('tool.call', { tool: 'mcp__tool-registered__count' }, async ($: any, e: any) => ({ result: 'words: ' + e.text.split(' ').length }))
}

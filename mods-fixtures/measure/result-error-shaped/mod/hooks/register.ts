export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    const r = await next(e)
    return { ...r, isError: true }
  })
}

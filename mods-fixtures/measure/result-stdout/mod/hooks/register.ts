export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    const r = await next(e)
    return { result: { ...r.result, stdout: 'hidden' } }
  })
}

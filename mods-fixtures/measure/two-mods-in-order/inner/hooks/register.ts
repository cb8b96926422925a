export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    const r = await next({ ...e, command: e.command + 'y' })
    return { ...r, context: [...(r.context ?? []), 'inner after [' + e.command + ']'] }
  })
}

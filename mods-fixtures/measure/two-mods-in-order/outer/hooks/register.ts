export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    const r = await next({ ...e, command: e.command + 'x' })
    return { ...r, context: [...(r.context ?? []), 'outer after [' + e.command + ']'] }
  })
}

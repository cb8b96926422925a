const NOTHING: any = { empty: '', zero: 0, no: false, number: NaN }

export function register(on: any) {
  // The first hook on the event.
  on('command.run', { args: 'first' }, async ($: any, e: any) => NOTHING[e.command])
  // Others of the mod, alone and beneath another one.
  on('command.run', { args: 'second' }, async ($: any, e: any) => NOTHING[e.command])
  on('command.run', { args: 'beneath' }, async ($: any, e: any, next: any) => {
    try { return { text: `got ${await next(e)}` } } catch (error: any) { return { text: error.name } }
  })
  on('command.run', { args: 'beneath' }, async ($: any, e: any) => NOTHING[e.command])

  on('tool.call', { tool: 'Look' }, async ($: any, e: any, next: any) => {
    const given = await next(e)
    return { result: [Object.keys(given), e.list] }
  })
  on('agent.report', async ($: any, e: any) => e.act)
}

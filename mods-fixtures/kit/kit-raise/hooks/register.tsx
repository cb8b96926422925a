const log: any[] = []
export function register(on: any) {
  on('tool.call', { tool: 'Seen' }, async ($: any, e: any, next: any) => { log.push(Object.keys(e).join(), e.tool_use_id); return next(e) })
  on('command.run', { command: 'log' }, async () => ({ text: JSON.stringify(log.splice(0)) }))
  on('ui.render', { component: 'Pane' }, async ($: any, e: any) => {
    const { Box, Client } = $.ui.resolve(e)
    return <Box key="b"><Client key="c" module="./panel.tsx" props={{ mode: e.requestId, extra: e.props.extra ?? 0 }} /></Box>
  })
  on('ui.message', async ($: any, e: any) => { log.push(e.data); return e.data.reply === 'none' ? {} : { props: { mode: 'told' } } })
}

const done: string[] = []

export function register(on: any) {
  on('ui.render', { component: 'Pane' }, async ($: any, e: any) => {
    const { Box, Text, Button, Input } = $.ui.resolve(e)
    return (
      <Box key="inner">
        <Text>inner {e.props.note ?? 'plain'}</Text>
        <Button key="go" label="Go" onPress={() => { done.push('inner go') }} />
        <Input key="name" onSubmit={(v: any) => { done.push('inner ' + v) }} />
      </Box>
    )
  })
  on('command.run', { command: 'done' }, async () => ({ text: done.splice(0).join(' | ') }))
}

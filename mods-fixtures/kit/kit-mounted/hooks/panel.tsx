export default function Panel(props: any, surface: any) {
  const { Box, Text, Button, Input } = surface.elements
  if (props.boom) throw new Error('panel broke')
  if (props.nothing) return null
  if (!surface.state) {
    surface.setState({ key: '', pointer: '', ticks: 0 })
    surface.onKey((k: any) => surface.setState({ ...surface.state, key: JSON.stringify(k) }))
    surface.onPointer((p: any) => surface.setState({ ...surface.state, pointer: JSON.stringify(p) }))
    surface.every(100, () => surface.setState({ ...surface.state, ticks: surface.state.ticks + 1 }))
  }
  const { key = '', pointer = '', ticks = 0 } = surface.state ?? {}
  return (
    <Box>
      <Text>{`n ${props.n} | key ${key} | pointer ${pointer} | ticks ${ticks} | ${surface.columns}x${surface.rows}`}</Text>
      <Button key="post" label="Post" onPress={() => surface.post({ a: 1 })} />
      <Input key="field" onSubmit={(v: any) => surface.setState({ ...surface.state, key: 'typed ' + v })} />
    </Box>
  )
}

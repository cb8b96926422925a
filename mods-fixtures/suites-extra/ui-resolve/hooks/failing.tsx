export default function Failing(props: any, surface: any) {
  const { Box, Text, Button } = surface.elements
  const callbacks: Record<string, any> = {
    fine: () => surface.setState('pressed'),
    throws: () => { throw new Error('thrown') },
    rejects: async () => { throw new Error('rejected') },
    never: () => new Promise(() => {}),
  }
  if (props.listens) surface.onKey(async () => { throw new Error('rejected by a listener') })
  return <Box><Text>{surface.state ?? 'idle'}</Text>{Object.keys(callbacks).map((key) => <Button key={key} label={key} onPress={callbacks[key]} />)}</Box>
}

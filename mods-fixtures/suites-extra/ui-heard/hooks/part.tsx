declare const h: any
let renders = 0
export default function Part(props: any, surface: any) {
  renders++
  const { Box, Text, Button } = surface.elements
  if (props?.mode === 'fails') throw new Error('the part fails')
  if (props?.upTo !== undefined && (surface.state ?? 0) < props.upTo) surface.setState((surface.state ?? 0) + 1)
  return (
    <Box>
      <Text>{JSON.stringify(props) ?? 'no props'} {surface.state ?? '-'}</Text>
      <Button key="say" label="Say" onPress={() => { surface.post('hello') }} />
      <Button key="break" label="Break" onPress={() => { throw new Error('the handler fails') }} />
    </Box>
  )
}

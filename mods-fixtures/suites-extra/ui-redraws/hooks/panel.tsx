export default function Panel(props: any, surface: any) {
  const { Box, Text, Button, Input } = surface.elements
  return (
    <Box>
      <Text>{JSON.stringify([props, surface.state ?? null])}</Text>
      <Button key="cb" label="CB" onPress={() => {}} />
      <Input key="ci" onSubmit={(v: any) => surface.setState(v)} />
    </Box>
  )
}

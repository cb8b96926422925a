const log: any[] = []
const note = (what: string) => (...given: any[]) => { log.push([what, ...given]) }

export function register(on: any) {
  on('ui.render', { component: 'Pane' }, async ($: any, e: any) => {
    const { Box, Text, Button, Input, Select, Link, Code, Markdown, Client } = $.ui.resolve(e)
    if (e.props.bad) return <Box zIndex={1} />
    switch (e.requestId) {
      case 'two': return <Box><Client key="c1" module="./panel.tsx" props={{ n: 1 }} /><Client key="c2" module="./panel.tsx" props={{ n: 2 }} /></Box>
      case 'boom': return <Box><Client key="c1" module="./panel.tsx" props={{ boom: true }} /></Box>
      case 'nothing': return <Box><Client key="c1" module="./panel.tsx" props={{ nothing: true }} /></Box>
      case 'client': return <Box key="b"><Client key="c1" module="./panel.tsx" props={{ n: e.props.n ?? 1 }} width={20} /></Box>
    }
    return (
      <Box key="root">
        <Text>hello <Text bold>world</Text></Text>
        <Button key="go" label="Go" onPress={note('press')} />
        <Button key="five" label="Five" onPress={() => 5} />
        <Input key="name" value="v" label="N" placeholder="P" onSubmit={note('submit')} onInput={note('input')} />
        <Input key="plain" onSubmit={note('submit')} />
        <Select key="pick" label="S" options={[{ value: 'a', label: 'A' }, { value: 'b' }]} value="a" onSelect={note('select')} />
        <Link href="https://a.example" label="lab" />
        <Link href="https://a.example">kid</Link>
        <Code source="let x" />
        <Markdown text="md [l](https://b.example)" key="md" onLinkPress={note('link')} />
        <Markdown text="plain" />
        <Button key="dup" label="D1" onPress={note('d1')} />
        <Button key="dup" label="D2" onPress={note('d2')} />
        loose
      </Box>
    )
  })
  on('ui.message', async ($: any, e: any) => { log.push(['message', e]); return { props: { n: 77 } } })
  on('command.run', { command: 'log' }, async () => ({ text: JSON.stringify(log.splice(0)) }))
}

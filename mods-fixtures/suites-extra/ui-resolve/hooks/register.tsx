// What it draws says what its table holds, or is made with it; which drawing it is, is the request's id.
export function register(on: any) {
  const done: string[] = []
  const told = (f: () => unknown) => { try { return JSON.stringify(f()) } catch (x: any) { return `${x.name}: ${x.message}` } }

  on('ui.render', async ($: any, e: any, next: any) => {
    const t = $.ui.resolve(e)
    const { Box, Text, Button, Input, Select, Markdown, Code, Client } = t
    const press = (key: string) => () => { done.push(`pressed ${key}`) }
    switch (e.requestId) {
      case 'keys': return { type: 'Text', children: [`${Object.keys(t).join(' ')} ${t === $.ui.resolve(e)} ${Object.isFrozen(t)} ${Object.getPrototypeOf(t)}`] }
      case 'made': return { type: 'Text', children: [[told(() => Text({ children: ['a'] })), told(() => t.Link({ href: 'https://a.example/', children: ['a'] })), told(() => typeof t.Foo)].join(' ')] }
      case 'text': return <Text bold>hi<Text>in</Text></Text>
      case 'in-box': return <Box><Text>hi</Text></Box>
      case 'button': return <Button key="b" label="L" onPress={press('b')} />
      case 'label': return <Button label="b" onPress={press('label b')} />
      case 'boxed': return <Box><Button key="b" label="L" onPress={press('b')} /></Box>
      case 'input': return <Input key="b" onSubmit={(value: string) => { done.push(`sent ${value}`) }} onInput={(value: string) => { done.push(`typed ${value}`) }} />
      case 'select': return <Select key="b" options={[{ value: 'v' }]} onSelect={(value: string) => { done.push(`chose ${value}`) }} />
      case 'markdown': return <Markdown key="b" text="[a](https://a.example/)" onLinkPress={(link: any) => { done.push(`followed ${link.href}`) }} />
      case 'function': return <Box foo={() => 1} width={undefined}><Text>hi</Text></Box>
      case 'code': { try { return <Code source="x" /> } catch (x: any) { return { type: 'Text', children: [`${x.name}: ${x.message}`] } } }
      case 'foo': return <t.Foo a={1}><Text>x</Text></t.Foo>
      case 'client': return <Client key="c" module="./failing.tsx" props={{ listens: false }} width={10} height={4} />
      case 'listening': return <Client key="c" module="./failing.tsx" props={{ listens: true }} width={10} height={4} />
      case 'callbacks': return (
        <Box>
          <Button key="throws" label="1" onPress={() => { throw new TypeError('thrown') }} />
          <Button key="text" label="2" onPress={() => { throw 'just text' }} />
          <Button key="rejects" label="3" onPress={async () => { throw new Error('rejected') }} />
          <Button key="getter" label="4" onPress={() => ({ get then() { throw new Error('no then') } })} />
          <Button key="value" label="5" onPress={() => ({ deny: 'x' })} />
          <Button key="waits" label="6" onPress={async () => { await $.clock.sleep(50); done.push('waited') }} />
          <Input key="in" onSubmit={() => { throw new Error('not sent') }} onInput={() => { throw new Error('not typed') }} />
          <Select key="sel" options={[{ value: 'a' }]} onSelect={() => { throw new Error('not chosen') }} />
        </Box>
      )
    }
    return next(e)
  }).catch(async () => ({ type: 'Text', children: ['caught'] }))
  on('command.run', { command: 'done' }, async () => ({ text: done.splice(0).join(' | ') }))
}

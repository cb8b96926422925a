declare const h: any
const said: unknown[] = []
let draws = 0, asked = 0
/** A node as the test spelled it: `t` names a constructor, anything else is data. */
const build = (table: any, spec: any): any => {
  if (Array.isArray(spec)) return spec.map(part => build(table, part))
  if (spec === 'a function') return () => { }
  if (spec === 'a bigint') return 5n
  if (spec === null || typeof spec !== 'object' || spec.t === undefined) return spec
  const props = Object.fromEntries(Object.entries(spec.p ?? {}).map(([name, value]) => [name, build(table, value)]))
  return h(table[spec.t], props, ...build(table, spec.c ?? []))
}

export function register(on: any) {
  on('command.run', { command: 'said' }, () => ({ text: JSON.stringify(said.splice(0)) }))
  on('command.run', { command: 'draws' }, () => ({ text: String(draws) }))
  on('command.run', { command: 'write' }, async ($: any) => {
    try { return { text: JSON.stringify(await $.state.set({ plugin: 'ui-heard', key: 'k' }, 1)) } } catch (x: any) { return { text: x.name } }
  })
  on('ui.message', async ($: any, e: any, next: any) => { said.push([e.data, next.origin]); return next(e) })
  on('ui.render', { component: 'Pane' }, async ($: any, e: any) => {
    draws++
    const table = $.ui.resolve(e)
    const { Box, Text, Button, Input, Select, Client } = table
    if (e.props.spec) return build(table, e.props.spec)
    if (e.props.part === 'none') return <Client key="c" module="./part.tsx" />
    if (e.props.part) return <Client key="c" module="./part.tsx" props={e.props.part} />
    if (e.props.gone) return <Text>no part</Text>
    if (e.props.writes) {
      try { await $.state.set({ plugin: 'ui-heard', key: 'k' }, 1); said.push('written') } catch (x: any) { said.push(x.name) }
      said.push((await $.command.run({ command: 'write', args: '' })).text)
      setTimeout(async () => { said.push(await $.state.set({ plugin: 'ui-heard', key: 'k' }, 2)) }, 1)
    }
    if (e.props.asks > asked) { asked++; $.ui.invalidate('ui.render') }
    return (
      <Box>
        <Text>draw {draws}</Text>
        <Button key="ok" label="OK" onPress={() => { }} />
        <Input key="in" onSubmit={() => { said.push('sent') }} onInput={() => { said.push('typed') }} />
        <Select key="sel" options={[{ value: 'a' }]} onSelect={() => { }} />
      </Box>
    )
  }).catch(async ($: any, e: any) => { const { Text } = $.ui.resolve(e); return Text({ children: ['refused'] }) })
}

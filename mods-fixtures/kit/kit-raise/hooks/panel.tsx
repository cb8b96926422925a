let renders = 0
let first: any
const said: string[] = []
const attempt = (f: any) => { try { f(); return 'fine' } catch (x: any) { return x.name } }

export default function Panel(props: any, surface: any) {
  const { Box, Text, Button } = surface.elements
  renders++
  first ??= surface
  const isFirst = renders === 1
  const set = (more: object) => surface.setState({ ...surface.state, ...more })
  switch (props.mode) {
    case 'state': if (isFirst) { surface.setState({ a: 1 }); surface.setState({ a: 2 }) } break
    case 'function': if (isFirst) surface.setState(() => 1); break
    case 'endless': surface.setState({ renders }); break
    case 'three': if (renders < 3) surface.setState({ renders }); break
    case 'listeners': if (isFirst) { const clear = surface.onKey(() => set({ old: true })); surface.onKey((k: any) => set({ new: k.key, frozen: Object.isFrozen(k) })); clear() } break
    case 'cleared': if (isFirst) surface.onKey(() => set({ key: true }))(); break
    case 'throws-key': if (isFirst) surface.onKey(() => { throw new Error('in key') }); break
    case 'throws-tick': if (isFirst) surface.every(20, () => { throw new Error('in tick') }); break
    case 'order': if (isFirst) { surface.every(40, () => said.push('a')); surface.every(20, () => said.push('b')); surface.every(20, () => { said.push('c'); set({ said: said.join('') }) }) } break
    case 'stops': if (isFirst) { const stop = surface.every(20, () => { said.push('x'); stop(); stop(); set({ said: said.join('') }) }) } break
    case 'posts': if (isFirst) { let n = 0; surface.every(20, () => surface.post({ n: ++n, reply: 'none' })) } break
    case 'post-at-once': if (isFirst) { surface.post({ n: 1 }); surface.post({ n: 2 }) } break
    case 'wrong': if (isFirst) set({ wrong: [attempt(() => surface.every(5)), attempt(() => surface.onKey(5)), attempt(() => surface.onPointer()), attempt(() => surface.post(undefined)), attempt(() => surface.post(() => 1)), attempt(() => surface.post(1n)), attempt(() => { surface.state = 5 }), attempt(() => { props.x = 1 }), attempt(() => surface.every('x', () => {}))] }); break
    case 'elements': if (isFirst) set({ elements: Object.keys(surface.elements), kinds: [typeof console, typeof setTimeout, typeof h, typeof Fragment], frozen: [Object.isFrozen(surface), Object.isFrozen(props)] }); break
    case 'late': return Promise.resolve(<Text>x</Text>)
    case 'text': return 'just text'
    case 'list': return [<Text>a</Text>]
    case 'fragment': return <><Text>in a fragment</Text></>
    case 'bad-prop': return <Box zIndex={1} />
    case 'button': return <Box><Button key="b" label="B" onPress={(e: any) => set({ e: Object.keys(e).sort() })} /><Text>{JSON.stringify({ renders, state: surface.state })}</Text></Box>
    case 'throws-press': return <Box><Button key="b" label="B" onPress={() => { throw new Error('in press') }} /><Text>x</Text></Box>
  }
  if (/^every/.test(props.mode) && isFirst) { let n = 0; surface.every(Number(props.mode.split(' ')[1]), () => surface.setState({ n: ++n })) }
  return <Text>{JSON.stringify({ renders, same: first === surface, state: surface.state, focused: surface.isWindowFocused, reduced: surface.isMotionReduced })}</Text>
}

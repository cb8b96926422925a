import { atom, derive, memberOf, read, update } from 'claude-code'

const attempt = async (f: any) => { try { const r = await f(); return r === undefined ? 'undefined' : r } catch (x: any) { return x.name } }
const sync = (f: any) => { try { return f() } catch (x: any) { return x.name } }

const count = atom({ plugin: 'kit-atoms', key: 'count' }, 0)
const other = atom({ plugin: 'kit-atoms', key: 'other' }, 1)
const v1 = atom({ plugin: 'kit-atoms', key: 'shaped' }, { a: 1 } as any, { shape: 'v1' })
const v2 = atom({ plugin: 'kit-atoms', key: 'shaped' }, { b: 2 } as any, { shape: 'v2' })
const bare = atom({ plugin: 'kit-atoms', key: 'shaped' }, 'nothing' as any)
const any = atom({ plugin: 'kit-atoms', key: 'any' }, 0 as any)
const lost = atom({ plugin: 'kit-atoms', key: 'lost' }, 0)
const constant = atom({ plugin: 'kit-atoms', key: 'constant' }, 0)
const nested = atom({ plugin: 'kit-atoms', key: 'nested' }, { list: [{ a: 1 }] } as any)
const own = { a: { b: 1 } }
const frozen = atom({ plugin: 'kit-atoms', key: 'frozen' }, own)

let computed = 0
const sum = derive([count, other], (a: any, b: any) => { computed++; return { sum: a + b } })
const twice = derive([sum], (s: any) => s.sum * 2)
const failing = derive([count], () => { computed++; throw new RangeError('no') })
const late = derive([count], async (n: any) => n + 100)
const nothing = derive([], () => { computed++; return 7 })
const undefinedOne = derive([count], () => undefined)
const ofConstant = derive([constant], (n: any) => n)
let tries = 0

export function register(on: any) {
  let answers = 0
  on('state.set', { key: 'lost' }, async () => { tries++; return { value: { isSet: false, version: 0 } } })
  on('state.get', { key: 'constant' }, async () => ({ value: { value: ++answers, version: 7 } }))
  on('command.run', { command: 'atoms' }, async () => ({ text: JSON.stringify([
    [atom.length, read.length, update.length, derive.length, memberOf.length],
    [frozen.initial === own, Object.isFrozen(own), Object.isFrozen(own.a), Object.keys(frozen), Object.keys(v1), Object.isFrozen(v1)],
    typeof atom({ plugin: 'kit-atoms', key: 'x' }, 1n as any).initial,
    atom({ plugin: 'elsewhere', key: 'x' }, 1),
    atom({ plugin: 'kit-atoms', key: 'x' }, 1, null as any),
    [Object.keys(sum), Object.isFrozen(sum), typeof sum],
  ]) }))
  on('command.run', { command: 'members' }, async () => ({ text: JSON.stringify([
    memberOf(any, { requestId: 'a' } as any), Object.keys((memberOf(any, {} as any) as any).ref), memberOf(v1, { requestId: 'a' } as any), Object.isFrozen(memberOf(any, { requestId: 'a' } as any)),
    sync(() => memberOf(any, null as any)), memberOf(any, { requestId: 'a', tool_use_id: 't', agentId: 'g' } as any), Object.keys((memberOf(any, { agentId: 'g' } as any) as any).ref),
  ]) }))
  on('command.run', { command: 'shapes' }, async ($: any) => {
    const out: any[] = [await read($, v1), await update($, v1, (x: any) => ({ a: x.a + 1 })), await $.state.get({ plugin: 'kit-atoms', key: 'shaped' }), await read($, v1), await read($, v2), await read($, bare)]
    out.push(await update($, v2, (x: any) => ({ b: x.b + 1 })), await read($, v1), await update($, bare, () => 'plain'), await read($, v1), await read($, bare))
    await $.state.set({ plugin: 'kit-atoms', key: 'shaped' }, { shape: 'v1', value: { a: 9 }, more: 1 })
    out.push(await read($, v1))
    await $.state.set({ plugin: 'kit-atoms', key: 'shaped' }, { shape: 'v1' })
    out.push(await read($, v1))
    return { text: JSON.stringify(out) }
  })
  on('command.run', { command: 'derived' }, async ($: any) => {
    const out: any[] = [await read($, sum as any), computed, await read($, sum as any), computed, await read($, twice as any), computed]
    await update($, count, () => 4)
    out.push(await read($, twice as any), computed)
    await update($, count, (n: any) => n)
    out.push(await read($, sum as any), computed, (await read($, sum as any)) === (await read($, sum as any)))
    const before = computed
    out.push(await attempt(() => read($, failing as any)), await attempt(() => read($, failing as any)), computed - before)
    out.push(await read($, late as any), await read($, nothing as any), await read($, nothing as any), computed - before, await attempt(() => read($, undefinedOne as any)))
    out.push(await read($, ofConstant as any), await read($, ofConstant as any), await read($, constant))
    return { text: JSON.stringify(out) }
  })
  on('command.run', { command: 'values' }, async ($: any) => {
    const out: any[] = []
    out.push(await attempt(() => update($, any, () => undefined)), await read($, any))
    out.push(await attempt(() => update($, any, () => NaN)), await attempt(() => read($, any)))
    out.push(await attempt(() => update($, any, () => new Map([[1, 2]]))), await read($, any))
    out.push(await attempt(() => update($, any, () => ({ a: undefined, b: [undefined] }))), await read($, any))
    out.push(await attempt(() => update($, any, async () => 5)), await read($, any))
    out.push(await attempt(() => update($, any, () => Symbol('x'))), await attempt(() => update($, any, () => 1n)), await attempt(() => update($, any, () => { const o: any = {}; o.o = o; return o })))
    out.push(await attempt(() => (update as any)($, any)), await read($, any))
    return { text: JSON.stringify(out) }
  })
  on('command.run', { command: 'given' }, async ($: any) => {
    const seen: any[] = []
    await update($, nested, (x: any) => { seen.push(Object.isFrozen(x), Object.isFrozen(x.list), Object.isFrozen(x.list[0])); return { list: [{ a: 2 }] } })
    const r: any = await update($, nested, (x: any) => { seen.push(Object.isFrozen(x), Object.isFrozen(x.list)); x.list.push(5); return x })
    return { text: JSON.stringify([seen, r, await read($, nested), r === await read($, nested)]) }
  })
  on('command.run', { command: 'lost' }, async ($: any) => ({ text: JSON.stringify([await attempt(() => update($, lost, (n: any) => n + 1)), tries]) }))
}

import { atom, memberOf, read, update } from 'claude-code'

const attempt = async (f: any) => { try { const r = await f(); return r === undefined ? 'undefined' : r } catch (x: any) { return x.name } }
const a = atom({ plugin: 'state-events', key: 'a' }, 0 as any)
const family = atom({ plugin: 'state-events', key: 'family' }, 'none' as any)

export function register(on: any) {
  on('command.run', { command: 'set' }, async ($: any, e: any) => ({ text: JSON.stringify([await attempt(() => $.state.set({ plugin: 'state-events', key: 'a' }, JSON.parse(e.args))), await attempt(() => $.state.get({ plugin: 'state-events', key: 'a' }))]) }))
  on('command.run', { command: 'get' }, async ($: any) => ({ text: JSON.stringify(await attempt(() => $.state.get({ plugin: 'state-events', key: 'a' }))) }))
  on('command.run', { command: 'update' }, async ($: any, e: any) => ({ text: JSON.stringify([await attempt(() => update($, a, () => JSON.parse(e.args))), await attempt(() => read($, a))]) }))
  on('command.run', { command: 'member' }, async ($: any, e: any) => {
    const m = memberOf(family, { requestId: e.args } as any)
    return { text: JSON.stringify([await attempt(() => update($, m as any, (x: any) => x + ' ' + e.args)), await attempt(() => read($, m as any)), await attempt(() => read($, family)), await attempt(() => $.state.get({ plugin: 'state-events', key: 'family', id: e.args }))]) }
  })
  on('command.run', { command: 'checks' }, async ($: any) => ({ text: JSON.stringify([
    await attempt(() => $.state.get({ plugin: 'state-events', key: 'a', id: 5 })), await attempt(() => $.state.get({ plugin: 'state-events', key: 'a', more: 5 })), await attempt(() => $.state.get({ plugin: 'nobody', key: 'a' })),
    await attempt(() => $.state.set({ plugin: 'state-events', key: 'a' })), await attempt(() => $.state.set({ plugin: 'state-events', key: 'a' }, 1, { ifVersion: 'x' })), await attempt(() => $.state.set({ plugin: 'state-events', key: 'a' }, 1, { ifVersion: 99 })),
    await attempt(() => $.state.set({ plugin: 'state-events', key: '' }, 1)), await attempt(() => $.state.set({ plugin: 'state-events', key: 'a', id: '' }, 1)), await attempt(() => $.state.set({ plugin: 'state-events', key: 'a' }, 'x'.repeat(4194305))), await attempt(() => $.state.set({ plugin: 'state-events', key: 'long' }, 'x'.repeat(4000000))),
  ]) }))
}

import { expect, test } from 'claude-code/testing'

const ABOVE = {
  name: 'above', tier: 'prepend' as const,
  register(on: any) {
    const seen: unknown[] = []
    on('state.set', { plugin: 'state-events' }, async ($: any, e: any, next: any) => {
      seen.push(['set', e, next.origin.plugin, Object.isFrozen(e)])
      switch (e.value) {
        case 'rewrite': return next({ ...e, value: 'rewritten' })
        case 'undefined': return next({ ...e, value: undefined })
        case 'no-value': { const { value, ...rest } = e; return next(rest) }
        case 'date': return next({ ...e, value: new Date(0) })
        case 'other-key': return next({ ...e, key: 'b' })
        case 'with-id': return next({ ...e, id: 'x' })
        case 'if-version': return next({ ...e, ifVersion: 99 })
        case 'previous': return next({ ...e, previous: 'forged' })
        case 'deny': return { deny: 'no' }
        case 'deny-empty': return { deny: '' }
        case 'answer': return { value: { isSet: true, version: 50 } }
        case 'answer-bad': return { value: { isSet: 'yes', version: 50 } }
        case 'answer-less': return { value: { isSet: true } }
        case 'answer-more': return { value: { isSet: true, version: 50, more: 1 } }
        case 'answer-plain': return { value: 5 }
        case 'nothing': return undefined
        case 'twice': await next(e); return next(e)
        case 'late-deny': await next(e); return { deny: 'too late' }
        case 'up': { const r = await next(e); return { value: { ...r.value, version: 77 } } }
      }
      return next(e)
    })
    on('state.get', { plugin: 'state-events', key: 'a' }, async ($: any, e: any, next: any) => {
      seen.push(['get', e, next.origin.plugin])
      const r = await next(e)
      switch (r.value.value) {
        case 'get-rewrite': return { value: { ...r.value, value: 'seen otherwise' } }
        case 'get-deny': return { deny: 'no' }
        case 'get-bare': return { value: 5 }
        case 'get-no-version': return { value: { value: 1 } }
        case 'get-nothing': return undefined
        case 'get-key': return next({ ...e, key: 'b' })
      }
      return r
    })
    on('command.run', { command: 'seen' }, async () => ({ text: JSON.stringify(seen.splice(0)) }))
  },
}
const run = async ($: any, command: string, args: unknown = '') => JSON.parse((await $.command.run({ command, args: typeof args === 'string' ? args : JSON.stringify(args) })).text)
const with2 = { plugins: [ABOVE] }

// Versions only grow; which number a write gets is the engine's.
const plain = (v: any): any => Array.isArray(v) ? v.map(plain) : v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).map(([k, x]: any) => [k, (k === 'version' || k === 'ifVersion') && ![0, 50, 77].includes(x) ? 'v' : plain(x)])) : v

// What is written: what $.state.set gives, and what $.state.get gives after it.
const WRITES: [string, unknown[]][] = [
  ["plain", [{"isSet": true, "version": "v"}, {"value": "plain", "version": "v"}]],
  ["rewrite", [{"isSet": true, "version": "v"}, {"value": "rewritten", "version": "v"}]],
  ["undefined", ["HooksError", {"value": "rewritten", "version": "v"}]],
  ["no-value", ["HooksError", {"value": "rewritten", "version": "v"}]],
  ["date", [{"isSet": true, "version": "v"}, {"value": "1970-01-01T00:00:00.000Z", "version": "v"}]],
  ["other-key", [{"isSet": true, "version": "v"}, {"value": "other-key", "version": "v"}]],
  ["with-id", [{"isSet": true, "version": "v"}, {"value": "with-id", "version": "v"}]],
  ["if-version", [{"isSet": true, "version": "v"}, {"value": "if-version", "version": "v"}]],
  ["previous", [{"isSet": true, "version": "v"}, {"value": "previous", "version": "v"}]],
  ["deny", ["HooksError", {"value": "previous", "version": "v"}]],
  ["deny-empty", ["HooksError", {"value": "previous", "version": "v"}]],
  ["answer", [{"isSet": true, "version": 50}, {"value": "previous", "version": "v"}]],
  ["answer-bad", [{"isSet": "yes", "version": 50}, {"value": "previous", "version": "v"}]],
  ["answer-less", [{"isSet": true}, {"value": "previous", "version": "v"}]],
  ["answer-more", [{"isSet": true, "version": 50, "more": 1}, {"value": "previous", "version": "v"}]],
  ["answer-plain", [5, {"value": "previous", "version": "v"}]],
  ["nothing", [{"isSet": true, "version": "v"}, {"value": "nothing", "version": "v"}]],
  ["twice", [{"isSet": true, "version": "v"}, {"value": "twice", "version": "v"}]],
  ["late-deny", [{"isSet": true, "version": "v"}, {"value": "late-deny", "version": "v"}]],
  ["up", [{"isSet": true, "version": 77}, {"value": "up", "version": "v"}]],
  ["get-rewrite", [{"isSet": true, "version": "v"}, {"value": "seen otherwise", "version": "v"}]],
  ["get-deny", [{"isSet": true, "version": "v"}, "HooksError"]],
  ["get-bare", [{"isSet": true, "version": "v"}, 5]],
  ["get-no-version", [{"isSet": true, "version": "v"}, {"value": 1}]],
  ["get-nothing", [{"isSet": true, "version": "v"}, {"value": "get-nothing", "version": "v"}]],
  ["get-key", [{"isSet": true, "version": "v"}, {"value": "get-key", "version": "v"}]],
] as any
test('what a mod above makes of a write and a read', { ...with2, timeoutMs: 60000 }, async ($: any) => {
  for (const [value, wanted] of WRITES) expect(plain(await run($, 'set', JSON.stringify(value))), value).toEqual(wanted)
})
test('what the events hold', with2, async ($: any) => {
  await run($, 'set', '1')
  await run($, 'set', '2')
  await run($, 'update', '3')
  await run($, 'member', 'r1')
  const address = { plugin: 'state-events', key: 'a' }
  expect(plain(await run($, 'seen'))).toEqual([
    ['set', { ...address, value: 1 }, 'state-events', true],
    ['get', address, 'state-events'],
    ['set', { ...address, value: 2, previous: 1 }, 'state-events', true],
    ['get', address, 'state-events'],
    ['get', address, 'state-events'],
    ['set', { ...address, value: 3, ifVersion: 'v', previous: 2 }, 'state-events', true],
    ['get', address, 'state-events'],
    ['set', { plugin: 'state-events', key: 'family', id: 'r1', value: 'none r1', ifVersion: 0 }, 'state-events', true],
  ])
})
test('members of a family', async ($: any) => {
  expect(plain([await run($, 'member', 'r1'), await run($, 'member', 'r2'), await run($, 'member', 'r1')])).toEqual([
    ['none r1', 'none r1', 'none', { value: 'none r1', version: 'v' }],
    ['none r2', 'none r2', 'none', { value: 'none r2', version: 'v' }],
    ['none r1 r1', 'none r1 r1', 'none', { value: 'none r1 r1', version: 'v' }],
  ])
})
test('versions grow over writes of one value', async ($: any) => {
  const versions = [(await run($, 'set', '1'))[0].version, (await run($, 'set', '1'))[0].version, (await run($, 'set', '1'))[0].version]
  expect(versions[0] < versions[1] && versions[1] < versions[2], String(versions)).toBe(true)
})
test('what the calls take', async ($: any) => {
  expect(plain(await run($, 'checks'))).toEqual([
    'HooksError', { version: 0 }, { version: 0 }, 'HooksError', 'HooksError', { isSet: false, version: 0 }, 'HooksError', { isSet: true, version: 'v' }, 'HooksError', { isSet: true, version: 'v' },
  ])
})

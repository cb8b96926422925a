import { expect, test } from 'claude-code/testing'

const run = ($: any, command: string) =>
  $.command.run({ command, args: '', origin: { kind: 'composer' }, presentation: { kind: 'fullscreen', columns: 80, rows: 24 } })

const marked: any[] = [
  { name: 'in-prepend', tier: 'prepend', register(on: any) { on('env.get', async ($: any, e: any, next: any) => ({ value: `p ${(await next(e)).value}` })) } },
  { name: 'in-user', tier: 'user', register(on: any) { on('env.get', async ($: any, e: any, next: any) => ({ value: `u ${(await next(e)).value}` })) } },
  { name: 'in-append', tier: 'append', register(on: any) { on('env.get', async ($: any, e: any, next: any) => ({ value: `a ${(await next(e)).value}` })) } },
  { name: 'in-builtin', tier: 'builtin', register(on: any) { on('env.get', async ($: any, e: any, next: any) => ({ value: `b ${(await next(e)).value}` })) } },
]

const caller = (tier: string): any => ({
  name: 'caller', tier, register(on: any) {
    on('command.run', { command: 'go' }, async ($: any) => ({ text: `${await $.env.get('X')}` }))
  },
})

const passed: Record<string, string> = { prepend: 'p a b .', user: 'p u a b .', append: 'p a b .', builtin: 'p u a b .' }

for (const tier of Object.keys(passed)) {
  test(`a call from the tier ${tier} passes ${passed[tier]}`, { plugins: [...marked, caller(tier)] }, async ($: any, on: any) => {
    on('env.get', () => ({ value: '.' }))
    expect((await run($, 'go')).text).toBe(passed[tier])
  })
}

const busy = (tier: string): any => ({
  name: 'busy', tier, register(on: any) {
    on('command.run', { command: 'go' }, async ($: any) => {
      await $.env.get('X')
      await $.ui.log('x')
      await $.tool.call({ tool: 'Read', file_path: '/x' })
      await $.state.set({ plugin: 'busy', key: 'k' }, 1)
      return {}
    })
  },
})

/** Calls on its own behalf, because of somebody's call. */
const between: any = {
  name: 'between', tier: 'builtin', register(on: any) {
    on('env.get', async ($: any, e: any, next: any) => { await $.fs.read('/inner'); return next(e) })
  },
}

const everything = 'env.get/busy fs.read/between ui.log/busy tool.call/busy classic.PreToolUse/busy tool.check/busy state.set/busy'
const heard: Record<string, string> = { prepend: '', user: everything, append: '', builtin: everything }

for (const tier of Object.keys(heard)) {
  test(`an installed mod hears of the tier ${tier} ${heard[tier] === '' ? 'nothing' : 'everything'}`, { plugins: [between, busy(tier)] }, async ($: any, on: any) => {
    on('env.get', () => ({ value: '' }))
    on('fs.read', () => ({ value: '' }))
    on('ui.log', () => ({ value: undefined }))
    on('tool.call', () => ({ result: 'x', text: 'x' }))
    await run($, 'go')
    expect((await run($, 'heard')).text).toBe(heard[tier])
  })
}

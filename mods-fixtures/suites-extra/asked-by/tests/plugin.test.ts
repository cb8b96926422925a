import { expect, test, tier } from 'claude-code/testing'

tier('prepend')

const CORE = { decision: 'ask', reason: 'core' }
const FULL = { decision: 'ask', reason: 'r', plugin: 'other', rule: 'R', hook: 'h' }
const LOW: any = { name: 'low', register(on: any) { on('tool.check', () => ({ decision: 'ask', reason: 'low' })) } }

function shows(title: string, plugins: any[], verdict: unknown, core: unknown = CORE) {
  test(title, { plugins }, async ($: any, on: any) => {
    on('tool.check', () => core)
    expect(await $.tool.check({ tool: 'Bash', input: { command: 'echo hi' } })).toStrictEqual(verdict)
  })
}

shows('nobody, where no mod says anything', [], CORE)
shows('nobody, where a mod says the same', [{ name: 'up', register(on: any) { on('tool.check', async ($: any, e: any, next: any) => { await next(e); return { decision: 'ask', reason: 'core' } }) } }], CORE)
shows('nobody, where a mod names somebody and says the same', [{ name: 'up', register(on: any) { on('tool.check', async ($: any, e: any, next: any) => ({ ...await next(e), plugin: 'zz' })) } }], CORE)
shows('the mod that gives another reason', [{ name: 'up', register(on: any) { on('tool.check', async ($: any, e: any, next: any) => ({ ...await next(e), reason: 'mine' })) } }], { decision: 'ask', reason: 'mine', plugin: 'up' })
shows('the mod that leaves the reason out', [{ name: 'up', register(on: any) { on('tool.check', async ($: any, e: any, next: any) => ({ decision: (await next(e)).decision })) } }], { decision: 'ask', plugin: 'up' })
shows('the mod that says the same without having asked beneath', [{ name: 'up', register(on: any) { on('tool.check', () => ({ decision: 'ask', reason: 'core' })) } }], { decision: 'ask', reason: 'core', plugin: 'up' })
shows('the mod itself, whomever it names', [{ name: 'up', register(on: any) { on('tool.check', () => ({ decision: 'ask', reason: 'm', plugin: 'other' })) } }], { decision: 'ask', reason: 'm', plugin: 'up' })
shows('the lower one, where the upper passes it', [{ name: 'up', register(on: any) { on('tool.check', ($: any, e: any, next: any) => next(e)) } }, LOW], { decision: 'ask', reason: 'low', plugin: 'low' })
shows('the lower one, where the upper leaves its name out', [{ name: 'up', register(on: any) { on('tool.check', async ($: any, e: any, next: any) => { const { decision, reason } = await next(e); return { decision, reason } }) } }, LOW], { decision: 'ask', reason: 'low', plugin: 'low' })
shows('the lower one, where the upper puts its own', [{ name: 'up', register(on: any) { on('tool.check', async ($: any, e: any, next: any) => ({ ...await next(e), plugin: 'up' })) } }, LOW], { decision: 'ask', reason: 'low', plugin: 'low' })
shows('the upper one, where it says something else', [{ name: 'up', register(on: any) { on('tool.check', async ($: any, e: any, next: any) => ({ ...await next(e), reason: 'up' })) } }, LOW], { decision: 'ask', reason: 'up', plugin: 'up' })
shows('whom the host names', [], FULL, FULL)
shows('the mod, where the host named another and it changes the reason', [{ name: 'up', register(on: any) { on('tool.check', async ($: any, e: any, next: any) => ({ ...await next(e), reason: 'mine' })) } }], { decision: 'ask', reason: 'mine', rule: 'R', hook: 'h', plugin: 'up' }, FULL)
shows('nobody, where a mod allows', [{ name: 'up', register(on: any) { on('tool.check', () => ({ decision: 'allow', plugin: 'x' })) } }], { decision: 'allow' }, FULL)
shows('nobody, where a mod denies', [{ name: 'up', register(on: any) { on('tool.check', () => ({ decision: 'deny', reason: 'q', plugin: 'x', rule: 'r' })) } }], { decision: 'deny', reason: 'q', rule: 'r' }, FULL)

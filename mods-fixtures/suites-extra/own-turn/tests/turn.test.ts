import { expect, test } from 'claude-code/testing'

const HELD = [
  'prompt.submit', 'prompt.section', 'prompt.attachment', 'tool.call', 'tool.describe', 'tool.offer', 'tool.judge',
  'tool.run', 'agent.spawn', 'agent.report', 'command.describe', 'config.set', 'config.describe', 'session.send',
  'prompt.mention', 'vcs.detect', 'vcs.isolate', 'classic.PostToolUse', 'classic.PostToolUseFailure',
  'classic.PostToolBatch', 'classic.Notification', 'classic.UserPromptSubmit', 'classic.UserPromptExpansion',
  'classic.Stop', 'classic.StopFailure', 'classic.SubagentStart', 'classic.SubagentStop', 'classic.PreCompact',
  'classic.PostCompact', 'classic.PreModelSwitch', 'classic.PostModelSwitch', 'classic.PermissionRequest',
  'classic.PermissionDenied', 'classic.TeammateIdle', 'classic.TaskCreated', 'classic.TaskCompleted',
  'classic.Elicitation', 'classic.ElicitationResult', 'classic.ConfigChange', 'classic.WorktreeCreate',
  'classic.WorktreeRemove', 'classic.InstructionsLoaded', 'classic.CwdChanged', 'classic.FileChanged',
  'classic.DirectoryAdded', 'classic.MessageDisplay', 'classic.PreSkillShellCommand',
]
const FREE = [
  'skill.prompt', 'attribution.text', 'tool.check', 'agent.offer', 'session.start', 'session.end', 'session.receive',
  'session.attach', 'session.detach', 'session.measure', 'turn.start', 'turn.complete', 'prompt.fill',
  'prompt.suggest', 'prompt.edit', 'classic.SessionStart', 'classic.SessionEnd', 'classic.Setup',
]
const engine = { plugin: 'engine', tier: 'core' }
const INPUTS: Record<string, object> = {
  'prompt.submit': { text: 't', origin: { kind: 'human' } },
  'tool.call': { tool: 'Bash', command: 'x' },
  'agent.spawn': { tool_use_id: 't', prompt: 'p', description: 'd', subagentType: 's', provider: engine, parentModel: 'm', background: false, fork: false },
  'prompt.edit': { origin: { kind: 'composer' }, text: 'a', cursor: 1, start: 1, end: 1, inputText: 'b' },
  'vcs.isolate': { name: 'n', from: '/x', for: 'agent', base: 'head' },
}

const run = async ($: any, command: string) => JSON.parse((await $.command.run({ command, args: '', origin: { kind: 'human' }, presentation: 'text' })).text)
const stubs = (on: any) => {
  on('command.run', { command: 'other' }, () => ({ text: 'other' }))
  on('prompt.submit', ($: any, e: any) => ({ text: e.text }))
  on('session.compact', () => ({ skip: 'not now' }))
  on('tool.call', () => ({ result: 'ran' }))
  on('store.get', () => ({ value: 1 }))
}
const raise = async ($: any, event: string) => {
  const [noun, name] = event.split('.')
  await $[noun][name](INPUTS[event] ?? {}).catch(() => undefined)
  return run($, 'seen')
}
const calls = ['a command', 'a prompt', 'a compaction']

for (const event of HELD) {
  test(`a hook on ${event} may not make the turn's own calls`, async ($: any, on: any) => {
    stubs(on)
    expect(await raise($, event), calls.join()).toEqual([true, true, true])
  })
}
for (const event of FREE) {
  test(`a hook on ${event} may`, async ($: any, on: any) => {
    stubs(on)
    expect(await raise($, event), calls.join()).toEqual([false, false, false])
  })
}
for (const where of ['here', 'from a timer', 'in a call']) {
  test(`within a command: ${where}`, async ($: any, on: any) => {
    stubs(on)
    expect(await run($, where)).toEqual([true, true, true])
  })
}
test('a step of the turn does not hold it', async ($: any, on: any) => {
  stubs(on)
  try { for await (const chunk of $.turn.step({ turnId: 't', index: 0, model: 'm', messageCount: 1 })) chunk } catch {}
  expect(await run($, 'seen')).toEqual([false, false, false])
})
test('what the host itself raised decides, not what a mod called from there', async ($: any, on: any) => {
  stubs(on)
  await $.session.attach({ surface: 'calls a tool' }).catch(() => undefined)
  expect(await run($, 'seen')).toEqual([false, false, false])
})
test('but for a prompt that a mod submits', async ($: any, on: any) => {
  stubs(on)
  await $.session.attach({ surface: 'submits' }).catch(() => undefined)
  expect(await run($, 'seen')).toEqual([true, true, true])
})

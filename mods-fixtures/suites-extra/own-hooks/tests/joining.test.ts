import { expect, test } from 'claude-code/testing'

const run = async ($: any, command: string) => JSON.parse((await $.command.run({ command, args: '', origin: { kind: 'human' }, presentation: 'text' })).text)
const quiet = (name: string, tier: any) => ({ name, tier, register(on: any) {} })
const watcher = (tier: any) => ({
  name: 'watcher',
  tier,
  register(on: any) {
    const seen: string[] = []
    on('plugin.register', async ($: any, e: any, next: any) => { seen.push(e.name); return next(e) })
    on('command.run', { command: 'watched' }, async () => ({ text: JSON.stringify(seen) }))
  },
})
const others = [quiet('first', 'prepend'), quiet('last', 'append'), quiet('ours', 'builtin'), quiet('second', 'user')]

test('$ is made of all before anybody is asked about those that follow', { plugins: others }, async ($: any) => {
  expect(await run($, 'seen')).toEqual(['made of first,own-hooks,second,last,ours,test', 'asked about second'])
})
const asked: Record<string, string[]> = {
  prepend: ['first', 'last', 'ours', 'test', 'own-hooks', 'second'],
  append: ['last', 'ours', 'test', 'own-hooks', 'second'],
  builtin: ['ours', 'test', 'own-hooks', 'second'],
  user: ['second'],
}
for (const [tier, names] of Object.entries(asked)) {
  test(`a mod of tier ${tier} is asked about`, { plugins: [watcher(tier), ...others] }, async ($: any) => {
    expect(await run($, 'watched')).toEqual(names)
  })
}
test('a test makes a $ of its own first, and is asked about the installed mods', { plugins: others }, async ($: any, on: any) => {
  const seen: string[] = []
  on('plugin.register', async ($: any, e: any, next: any) => { seen.push('asked about ' + e.name); return next(e) })
  on('engine.create', async ($: any, e: any, next: any) => { seen.push('made of ' + e.plugins.join()); return next(e) })
  await run($, 'seen')
  expect(seen).toEqual(['made of test', 'made of first,own-hooks,second,last,ours,test', 'asked about own-hooks', 'asked about second'])
})
test('it is told who joins and may refuse', async ($: any, on: any) => {
  let told: any
  on('plugin.register', async ($: any, e: any) => { told = e; return { refuse: 'not today' } })
  const failed: any = await run($, 'seen').catch((x: any) => x)
  expect([failed.name, failed.message]).toEqual(['HooksError', 'own-hooks: refused by test: not today'])
  expect(told).toMatchObject({ name: 'own-hooks', tier: 'user', version: '0.1.0', provenance: 'own-hooks@claude-plugin-test', provides: { modules: [{ path: 'hooks/register.ts' }], skills: [] }, unread: [] })
})
test('beneath everybody a mod is let in', async ($: any, on: any) => {
  let answer: any
  on('plugin.register', async ($: any, e: any, next: any) => (answer = await next(e)))
  await run($, 'seen')
  expect(answer).toEqual({ allow: true })
})

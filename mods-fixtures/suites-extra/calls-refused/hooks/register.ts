/** What a call gives, as text, or the name of what it is rejected with. */
const outcome = async (f: () => unknown) => { try { await f(); return 'taken' } catch (x: any) { return x.name } }

export function register(on: any) {
  on('command.run', { command: 'calls' }, async ($: any, e: any) => {
    const row = { message: { type: 'user', content: [{ type: 'text', text: 'a' }] } }
    const command = { name: 'n', description: 'd' }
    const calls: Record<string, () => unknown> = {
      'messages: last 4096': () => $.session.messages({ last: 4096 }),
      'messages: last 4097': () => $.session.messages({ last: 4097 }),
      'messages: last 0': () => $.session.messages({ last: 0 }),
      'messages: last 1.5': () => $.session.messages({ last: 1.5 }),
      'messages: last as text': () => $.session.messages({ last: '3' }),
      'messages: after nothing': () => $.session.messages({ after: '' }),
      'messages: last and after': () => $.session.messages({ last: 1, after: 'u' }),
      'messages: after as api': () => $.session.messages({ after: 'u', as: 'api' }),
      'messages: last as api': () => $.session.messages({ last: 1, as: 'api' }),
      'command: an alias': () => $.command.register({ ...command, aliases: ['m'], isHidden: true }),
      'command: its own name': () => $.command.register({ ...command, aliases: ['n'] }),
      'command: an alias twice': () => $.command.register({ ...command, aliases: ['m', 'm'] }),
      'command: nine aliases': () => $.command.register({ ...command, aliases: [...'abcdefghi'] }),
      'command: an alias with a space': () => $.command.register({ ...command, aliases: ['a b'] }),
      'command: an alias as text': () => $.command.register({ ...command, aliases: 'm' }),
      'command: hidden as text': () => $.command.register({ ...command, isHidden: 'yes' }),
      'command: for terminals, null': () => $.command.register({ ...command, isTerminalOnly: null }),
      'tool: deferred as text': () => $.tool.register({ name: 'n', description: 'd', isDeferred: 'yes' }),
      'tool: deferred': () => $.tool.register({ name: 'n', description: 'd', isDeferred: true }),
      'settings: a number for the key': () => $.settings.read({ key: 5 }),
      'copy: no surface': () => $.ui.copy({ text: 't', surface: 'nowhere' }),
      'copy: null for the surface': () => $.ui.copy({ text: 't', surface: null }),
      'copy': () => $.ui.copy({ text: 't', surface: 'desktop' }),
      'send: two addresses': () => $.session.send({ to: { sessionId: 's', agentId: 'a' }, text: 't' }),
      'send: one address and more': () => $.session.send({ to: { sessionId: 's', more: 1 }, text: 't' }),
      'blit: two pictures': () => $.ui.blit({ requestId: 'r', key: 'k', cells: 'AAAA', source: { png: 'AAAA' }, columns: 1, rows: 1 }),
      'run: no name': () => $.process.run(['', 'a']),
      'run: an empty argument': () => $.process.run(['a', '']),
      'fetch: null': () => $.http.fetch('https://a.example/', null),
      'toast: null': () => $.ui.toast('t', null),
      'ancestors: nothing': () => $.fs.ancestors(),
      'ancestors: no names': () => $.fs.ancestors({}),
      'ancestors: not Markdown': () => $.fs.ancestors({ names: ['a.txt'] }),
      'ancestors: from above': () => $.fs.ancestors({ names: ['../a.md'] }),
      'ancestors: from the root': () => $.fs.ancestors({ names: ['/a.md'] }),
      'ancestors: in a folder': () => $.fs.ancestors({ names: ['a/b.MD', './c.md'] }),
      'complete: a block that is not kept': () => $.model.complete({ model: 'm', prompt: [{ text: 'a', cache: false }] }),
      'complete: no system': () => $.model.complete({ model: 'm', prompt: 'p', system: 0 }),
      'sleep for ever': () => $.clock.sleep(Infinity),
      'after for ever': () => $.clock.after(Infinity, () => {}),
      'sleep: null': () => $.clock.sleep(0, null),
      'sleep: a number': () => $.clock.sleep(0, 5),
      'sleep: no signal': () => $.clock.sleep(0, { signal: {} }),
      'play: no signal': () => $.audio.play({ asset: 'a.mp3' }, { signal: 5 }),
      'fetch: a signal': () => $.http.fetch('https://a.example/', { signal: AbortSignal.abort() }),
      'read: a signal': () => $.fs.read('a', { signal: AbortSignal.abort() }),
      'append nothing': () => $.session.append({ message: { type: 'user', content: [] } }),
      'append no notice': () => $.session.append({ message: { type: 'system', content: [] } }),
      'append': () => $.session.append(row),
    }
    return { text: await outcome(calls[e.args]) }
  })

  on('command.run', { command: 'seen' }, async ($: any, e: any) => {
    const calls: Record<string, () => unknown> = {
      'up': () => $.fs.read('/a/./b/../c/'),
      'above the root': () => $.fs.read('/../..'),
      'two slashes': () => $.fs.read('//server/x'),
      'headers': () => $.http.fetch('https://a.example/', { headers: { a: 1, b: null }, signal: {} }),
      'a notice of nothing': () => $.ui.notice('id'),
      'a model': () => $.model.complete({ model: 'm', prompt: 'p', maxTokens: undefined }),
      'worktrees': () => $.vcs.list({ path: '/x/../y', more: 1 }),
      'a value that says what it is': () => $.state.set({ plugin: 'calls-refused', key: 'k' }, { toJSON: () => 7 }),
    }
    try { await calls[e.args]() } catch {}
    return { text: '' }
  })

  on('command.run', { command: 'said' }, async ($: any) => {
    try { await $.session.messages({ last: 0 }) } catch (x: any) { return { text: x.message } }
    return { text: '' }
  })
  on('command.run', { command: 'unwritten' }, async ($: any) => {
    const read = await $.state.get({ plugin: 'calls-refused', key: 'none' })
    return { text: JSON.stringify([Object.keys(read), read.version]) }
  })
  on('command.run', { command: 'every' }, async ($: any) => {
    $.clock.every(4, () => { $.clock.now() })
    return { text: '' }
  })
  on('command.run', { command: 'model' }, async ($: any) => ({ text: JSON.stringify(await $.agent.spawn({ prompt: 'p', model: null })) }))
}

export function register(on: any) {
  on('command.run', { command: 'call' }, async ($: any, e: any) => {
    try {
      const value = await (async () => {
        switch (e.args) {
          case 'fs.read': return $.fs.read('/d/a.txt')
          case 'fs.write': return $.fs.write('/d/a.txt', 'x')
          case 'fs.list': return $.fs.list('/d')
          case 'fs.exists': return $.fs.exists('/d/a')
          case 'fs.stat': return $.fs.stat('/d/a')
          case 'fs.ancestors': return $.fs.ancestors({ names: ['NOTES.md'] })
          case 'store.get': return $.store.get('k')
          case 'store.set': return $.store.set('k', { n: 1 })
          case 'store.delete': return $.store.delete('k')
          case 'store.keys': return $.store.keys()
          case 'clock.now': return $.clock.now()
          case 'clock.sleep': return $.clock.sleep(5)
          case 'http.fetch': return $.http.fetch('https://a.example/c', { method: 'POST', headers: { A: 'b' }, body: 'x' })
          case 'process.run': return $.process.run(['a', 'b'], { cwd: '/x', timeoutMs: 5 })
          case 'model.complete': return $.model.complete({ model: 'haiku', prompt: 'p', maxTokens: 9 })
          case 'model.classify': return $.model.classify('t', ['a', 'b'])
          case 'model.fork': return $.model.fork({ prompt: 'p' })
          case 'ui.open': return $.ui.open({ id: 'p', title: 'T' })
          case 'ui.close': return $.ui.close({ id: 'p' })
          case 'session.cwd': return $.session.cwd()
          case 'session.usage': return $.session.usage({ breakdown: 'full' })
          case 'session.messages': return $.session.messages()
          case 'env.get': return $.env.get('HOME')
          case 'env.set': return $.env.set('FOO', 'x')
          case 'mcp.call': return $.mcp.call('s', 't', { a: 1 })
          case 'command.register': return $.command.register({ name: 'x', description: 'd' })
          case 'agent.register': return $.agent.register({ name: 'a', description: 'd', prompt: 'p' })
          case 'tool.register': return $.tool.register({ name: 't', description: 'd' })
          case 'audio.play': return $.audio.play({ asset: 'a.wav' })
          case 'turn.abort': return $.turn.abort({ turnId: 't' })
        }
      })()
      return { text: JSON.stringify(value === undefined ? 'undefined' : { value }) }
    } catch (x: any) { return { text: JSON.stringify('rejected ' + x.name) } }
  })
}

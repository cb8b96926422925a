const VALUES: any = {
  function: () => 1, class: class A {}, symbol: Symbol('s'), deep: { a: () => 1, b: 2 }, list: [1, () => 2, 3], promise: Promise.resolve(1), weak: new WeakMap(),
  generator: (function* () { yield 1 })(), getter: { get g() { throw new Error('odd') }, h: 1 }, number: new Number(5), text: new String('s'), truth: Object(false), json: { toJSON: () => 'J', a: 1 },
}

export function register(on: any) {
  on('tool.call', { tool: 'Next' }, async ($: any, e: any, next: any) => next({ ...e, value: VALUES[e.which] }))
  on('tool.call', { tool: 'Answer' }, async ($: any, e: any, next: any) => ({ result: VALUES[e.which] }))
  on('tool.call', { tool: 'Throws' }, async ($: any, e: any, next: any) => { throw e.which === 'bare' ? Object.create(null) : VALUES[e.which] })
  on('tool.call', { tool: 'Is' }, async ($: any, e: any, next: any) => {
    const told = (pattern: any) => { try { return next.is(pattern, e) } catch (x: any) { return x.name } }
    return { result: [told('tool.call'), told('tool.*'), told('nonsense'), told(''), told(undefined), told(['tool.call']), told(5)] }
  })
  on('command.run', { command: 'ask' }, async ($: any, e: any) => {
    const calls = [() => $.ui.ask('q', null), () => $.ui.ask('q', 'text'), () => $.ui.ask('q', [1, {}, '']), () => $.ui.ask('q', { options: 5 }), () => $.ui.ask('  '), () => $.ui.ask('q', { header: 5 })]
    return { text: JSON.stringify(await calls[e.args]().catch((x: any) => `rejected ${x.name.length > 0}`)) }
  })
  on('command.run', { command: 'spawn' }, async ($: any, e: any) => ({ text: JSON.stringify(await $.agent.spawn({ prompt: e.args }).catch((x: any) => x.name)) }))
}

const shown = (x: any) => [x.name, x.constructor === Error, Object.keys(x), 'code' in x]
const failure = async (f: () => unknown) => { try { await f(); return 'no error' } catch (x: any) { return shown(x) } }
const busy = (ms: number) => { const begun = Date.now(); while (Date.now() - begun < ms); }
const later = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

async function timers(which: string) {
  const seen: unknown[] = []
  switch (which) {
    case 'in the order of their delays': setTimeout(() => seen.push(30), 30); setTimeout(() => seen.push(20), 20); setTimeout(() => seen.push(21), 21); break
    case 'of one delay in the order of creation': setTimeout(() => seen.push('a'), 5); setTimeout(() => seen.push('b'), 5); break
    case 'below one millisecond': for (const ms of [1.9, 1, 0, -5, NaN, Infinity]) setTimeout(() => seen.push(String(ms)), ms); break
    case 'text for a delay': setTimeout(() => seen.push('text'), '50' as any); setTimeout(() => seen.push('none')); break
    case 'promises come between': setTimeout(() => { seen.push('a'); Promise.resolve().then(() => seen.push('promise')) }, 5); setTimeout(() => seen.push('b'), 5); busy(10); break
    case 'one clears another': { let other = 0; setTimeout(() => { seen.push('a'); clearTimeout(other) }, 5); other = setTimeout(() => seen.push('b'), 6) as any; busy(10); break }
    case 'arguments and this': setTimeout(function (this: unknown, ...given: unknown[]) { seen.push(given, this === undefined) }, 1, 1, 2); break
    case 'what throws is not heard of': setTimeout(() => { throw new Error('in a timer') }, 1); setTimeout(() => seen.push('after'), 2); break
    case 'cleared by either name': { const t: any = setTimeout(() => seen.push('no'), 1); const i: any = setInterval(() => seen.push('no'), 1); clearInterval(t); clearTimeout(i); seen.push(typeof t, i - t); break }
  }
  await later(80)
  return seen
}

export function register(on: any) {
  let trace: any
  let built: any
  on('tool.call', { tool: 'Traced' }, async ($: any, e: any, next: any) => {
    const before = next.trace
    try { return await next({ ...e, command: 'passed' }) } catch { return { result: 'rejected' } } finally { trace = [before, next.trace] }
  })
  on('command.run', { command: 'trace' }, async () => ({ text: JSON.stringify(trace) }))
  on('command.run', { command: 'timers' }, async ($: any, e: any) => ({ text: JSON.stringify(await timers(e.args)) }))
  on('command.run', { command: 'errors' }, async ($: any, e: any, next: any) => ({
    text: JSON.stringify({
      'nobody answers': await failure(() => $.fs.read('/x')),
      'denied': await failure(() => $.store.get('denied')),
      'refused': await failure(() => $.clock.sleep(-1)),
      'next without its argument': await failure(() => next()),
      'next with a changed pin': await failure(() => next({ ...e, command: 'other' })),
      'a digest': await failure(() => crypto.subtle.digest('MD5', new Uint8Array())),
      'a clone': await failure(() => structuredClone(() => 1)),
      'bad text': await failure(() => atob('*')),
      'an aborted wait': await failure(() => { const stop = new AbortController(); const wait = $.clock.sleep(1000, { signal: stop.signal }); stop.abort(); return wait }),
    }),
  }))
  on('engine.create', async ($: any, e: any, next: any) => {
    const beneath = await next(e)
    built = { now: () => beneath.clock.now(), get: (key: string) => beneath.store.get(key), log: (text: string) => beneath.ui.log(text), name: () => beneath.plugin.name }
    return { ...beneath, shelf: { take: async ({ key }: any) => `${await beneath.store.get(key)} from the shelf` } }
  })
  on('command.run', { command: 'beneath' }, async ($: any) => ({
    text: JSON.stringify([await built.now(), await built.get('a'), String(await built.log('hi')), built.name(), await $.shelf.take({ key: 'a' })]),
  }))
}

const log: string[] = []
const attempt = async (f: () => unknown) => { try { const r = await f(); return r === undefined ? 'undefined' : r } catch (x: any) { return x.name } }

export function register(on: any) {
  on('command.run', { command: 'log' }, async () => ({ text: log.splice(0).join(' | ') }))
  on('command.run', { command: 'now' }, async ($: any) => ({ text: String(await $.clock.now()) }))
  on('command.run', { command: 'sleep' }, async ($: any, e: any) => ({ text: String(await attempt(() => $.clock.sleep(Number(e.args)))) }))
  on('command.run', { command: 'sleeps' }, async ($: any) => {
    for (const n of [30, 10, 20, 20]) $.clock.sleep(n).then(async () => { log.push(n + '@' + await $.clock.now()) })
    return { text: 'started' }
  })
  on('command.run', { command: 'after' }, async ($: any, e: any) => {
    $.clock.after(Number(e.args), async () => { log.push('after@' + await $.clock.now()); await $.clock.sleep(5); log.push('slept@' + await $.clock.now()) })
    return { text: 'started' }
  })
  on('command.run', { command: 'every' }, async ($: any, e: any) => {
    $.clock.every(Number(e.args), async () => { log.push('every@' + await $.clock.now()); await $.clock.sleep(25); log.push('slept@' + await $.clock.now()) })
    return { text: 'started' }
  })
  on('command.run', { command: 'every-short' }, async ($: any, e: any) => {
    let n = 0
    const h = $.clock.every(Number(e.args), async () => { log.push(String(await $.clock.now())); if (++n === 3) h.cancel() })
    return { text: 'started' }
  })
  on('command.run', { command: 'every-negative' }, async ($: any) => ({ text: String(await attempt(() => $.clock.every(-1, () => {}))) }))
  on('command.run', { command: 'store' }, async ($: any) => ({ text: JSON.stringify([await attempt(() => $.store.get('a')), await attempt(() => $.store.keys()), await attempt(() => $.store.get('u')), await attempt(() => $.store.get('d'))]) }))
  on('command.run', { command: 'env' }, async ($: any) => ({ text: JSON.stringify([await attempt(() => $.env.get('A')), await attempt(() => $.env.get('B')), await attempt(() => $.env.get('toString'))]) }))
  on('command.run', { command: 'note' }, async ($: any, e: any) => { await $.session.append({ message: { type: 'user', content: [{ type: 'text', text: e.args }] } }); return { text: 'noted' } })
}

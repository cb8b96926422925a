/** What a call gives, or the name of what it is rejected with. */
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }

export function register(on: any) {
  on('command.run', { command: 'note' }, async ($: any, e: any) => {
    const given: any = await outcome(() => $.session.append({ message: { type: 'user', content: [{ type: 'text', text: e.args }] } }))
    return { text: JSON.stringify(given.message ? given.message : given) }
  })
  on('command.run', { command: 'read' }, async ($: any, e: any) => ({ text: JSON.stringify(await outcome(() => $.store.get(e.args))) }))
  on('command.run', { command: 'redact' }, async ($: any, e: any) => ({ text: JSON.stringify(await outcome(() => $.session.redact(e.args))) }))
}

const rejection = async (call: Promise<unknown>) => call.then(() => 'answered', (x: any) => `${x.name}: ${x.message}`)

export function register(on: any) {
  on('command.run', { command: 'denied' }, async ($: any) => {
    const said = [await rejection($.store.get('key')), await rejection($.fs.read('/a')), await rejection($.process.run(['true']))]
    return { text: said.join('\n') }
  })
}

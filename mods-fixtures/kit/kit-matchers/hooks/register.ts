export function register(on: any) {
  on('command.run', { command: 'echo' }, async ($: any, e: any) => ({ text: e.args }))
}

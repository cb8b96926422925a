export function register(on: any, options: any) {
  on('command.run', { command: 'options' }, async () => ({ text: JSON.stringify(options) }))
}

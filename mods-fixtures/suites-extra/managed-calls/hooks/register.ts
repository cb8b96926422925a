const heard: string[] = []

function hear($: any, e: any, next: any) {
  heard.push(`${next.event}/${next.origin.plugin}`)
  return next(e)
}

export function register(on: any) {
  on('command.run', { command: 'heard' }, () => ({ text: heard.join(' ') }))
  on('env.get', hear)
  on('ui.log', hear)
  on('tool.call', hear)
  on('tool.check', hear)
  on('classic.PreToolUse', hear)
  on('state.set', hear)
  on('fs.read', hear)
}

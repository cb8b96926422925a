// Wants a logged edit to be a shell command.
export function register(on: any) {
  on('tool.call', { tool: 'Write' }, async ($: any, e: any, next: any) => {
    return next({ tool: 'Bash', tool_use_id: e.tool_use_id, command: `touch ${e.file_path}` })
  })
}

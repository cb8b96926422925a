// Never lets go of its thread.
export function register(on: any) {
  on('tool.call', async () => {
    for (let turn = 0; ; turn++) {
      if (turn < 0) return { deny: 'never' }
    }
  })
}

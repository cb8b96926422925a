// Takes array buffers until there are no more.
const kept: ArrayBuffer[] = []

export function register(on: any) {
  on('tool.call', async ($: any, e: any, next: any) => {
    for (;;) {
      kept.push(new ArrayBuffer(1 << 20))
      if (kept.length % 16 === 0) await $.clock.now()
    }
  })
}

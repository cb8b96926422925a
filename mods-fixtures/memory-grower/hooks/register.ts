// Fills its heap with objects that stay reachable.
const kept: object[] = []

export function register(on: any) {
  on('tool.call', async ($: any, e: any, next: any) => {
    for (;;) {
      kept.push({ numbers: new Array(1000).fill(kept.length), text: `${kept.length}`.repeat(100) })
      if (kept.length % 1000 === 0) await $.clock.now()
    }
  })
}

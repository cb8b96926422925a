// Replaces what every script relies on.
export function register(on: any) {
  on('tool.call', async ($: any, e: any, next: any) => {
    const tried: Record<string, string> = {}
    const attempt = (name: string, overwrite: () => void) => {
      try {
        overwrite()
        tried[name] = 'done'
      } catch (error: any) {
        tried[name] = error.name
      }
    }
    attempt('map', () => { (Array.prototype as any).map = () => ['mine'] })
    attempt('then', () => { (Promise.prototype as any).then = () => undefined })
    attempt('stringify', () => { (JSON as any).stringify = () => '{}' })
    attempt('assign', () => { (Object as any).assign = () => ({}) })
    attempt('polluted', () => { (Object.prototype as any).polluted = true })
    $.ui.log(`map ${tried.map}, then ${tried.then}, stringify ${tried.stringify}, assign ${tried.assign}, polluted ${tried.polluted}`)
    throw new Error('what every script relies on cannot be replaced')
  })
}

export function register(on: any) {
  on('session.append', async ($: any, e: any, next: any) => {
    const content = e.message.content
    const hit = Array.isArray(content) && content.some((block: any) => block.text === 'noting')
    return hit ? { deny: 'not in here' } : next(e)
  })
}

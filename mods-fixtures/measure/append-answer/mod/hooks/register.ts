export function register(on: any) {
  on('session.append', async ($: any, e: any, next: any) => {
    const content = e.message.content
    const hit = Array.isArray(content) && content.some((block: any) => block.text === 'noting')
    if (!hit) return next(e)
    const changed = content.map((block: any) => (block.text === 'noting' ? { ...block, text: 'noting carefully' } : block))
    return next({ ...e, message: { ...e.message, content: changed } })
  })
}

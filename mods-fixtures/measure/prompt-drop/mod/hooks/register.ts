export function register(on: any) {
  on('prompt.submit', { text: /secret/ }, async () => ({ drop: 'not this one' }))
}

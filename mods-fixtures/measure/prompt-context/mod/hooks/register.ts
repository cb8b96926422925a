export function register(on: any) {
  on('prompt.submit', async ($: any, e: any, next: any) => next({ ...e, context: ['mind the gap'] }))
}

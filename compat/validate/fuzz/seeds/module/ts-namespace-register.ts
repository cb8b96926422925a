namespace N { export const x = 1 }
export function register(on: any) { on('session.start', async ($: any, e: any, next: any) => next(e)) }

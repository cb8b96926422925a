enum A { X, Y }
export function register(on: any) { on('session.start', async ($: any, e: any, next: any) => { void A.X; return next(e) }) }

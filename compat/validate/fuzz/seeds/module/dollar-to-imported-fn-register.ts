import { hello } from './lib.ts'
export function register(on) { on('session.start', async ($, e, next) => { await hello($); return next(e) }) }

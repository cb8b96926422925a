import { x } from 'https://example.com/x.js'
export function register(on) { on('session.start', async ($, e, next) => next(e)) }

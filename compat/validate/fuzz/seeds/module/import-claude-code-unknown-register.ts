import { nope } from 'claude-code'
export function register(on) { on('session.start', async ($, e, next) => next(e)) }

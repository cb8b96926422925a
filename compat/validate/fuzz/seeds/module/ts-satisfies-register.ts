import type { Register } from 'claude-code'
export const register = ((on) => { on('session.start', async ($, e, next) => next(e)) }) satisfies Register

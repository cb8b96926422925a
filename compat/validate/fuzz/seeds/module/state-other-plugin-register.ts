import { atom, read, update } from 'claude-code'
const count = atom({ plugin: 'other', key: 'count' }, 0)
export function register(on) { on('session.start', async ($, e, next) => { await update($, count, (n) => n + 1); return next(e) }) }

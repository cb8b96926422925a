import { atom, read, update } from 'claude-code'
const k = 'count'
const count = atom({ plugin: 'probe', key: k }, 0)
export function register(on) { on('session.start', async ($, e, next) => { await update($, count, (n) => n + 1); return next(e) }) }

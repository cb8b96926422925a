import { b } from './b.ts'
export const a = 1
export function register(on) { on('session.start', async ($, e, next) => next(e)) }

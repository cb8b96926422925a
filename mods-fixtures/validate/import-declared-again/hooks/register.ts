import { limit } from './lib'
const limit = 2
export function register(on: any) { on('session.start', async ($, e, next) => next(e)) }

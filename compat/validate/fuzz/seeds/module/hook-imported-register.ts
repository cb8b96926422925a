import { onStart } from './lib.ts'
export function register(on) { on('session.start', onStart) }

import { reg } from './lib.ts'
export function register(on) { reg(on) }

import { a } from './register.ts'
export const b = () => a

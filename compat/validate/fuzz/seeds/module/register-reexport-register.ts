export { register } from './impl.ts'

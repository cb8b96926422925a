// Imports a module of Node.
import { readFileSync } from 'node:fs'

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    $.ui.log(String(readFileSync))
    return next(e)
  })
}

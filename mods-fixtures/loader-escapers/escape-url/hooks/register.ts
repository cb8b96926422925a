// Imports from the network.
import { secret } from 'https://example.com/module.js'

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    $.ui.log(String(secret))
    return next(e)
  })
}

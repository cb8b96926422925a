// Imports a package.
import { secret } from 'left-pad'

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    $.ui.log(String(secret))
    return next(e)
  })
}

// Follows a link out of its folder.
import { secret } from './linked'

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    $.ui.log(String(secret))
    return next(e)
  })
}

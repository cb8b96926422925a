// Imports an absolute path.
import { secret } from '/etc/hostname'

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    $.ui.log(String(secret))
    return next(e)
  })
}

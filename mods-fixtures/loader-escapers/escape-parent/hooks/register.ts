// Leaves its folder with ...
import { secret } from '../../outside'

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    $.ui.log(String(secret))
    return next(e)
  })
}

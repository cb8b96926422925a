// How full the context is, above the prompt. Text for now; a drawing takes the same numbers.
import { bar, short } from './bar'

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    $.ui.status(bar(0))
    return next(e)
  })

  on('turn.complete', async ($: any, e: any, next: any) => {
    const { context } = await $.session.usage()
    const tokens = context.tokens ?? 0
    const share = context.window > 0 ? tokens / context.window : 0
    $.ui.status(`${bar(share)} ${short(tokens)} of ${short(context.window)} tokens`)
    if (share >= 0.8) $.ui.toast('The context is nearly full.')
    return next(e)
  })
}

// Holds shell commands that are hard to take back, and asks.
import { risk } from './risk'

const RUN = 'Run it'
const HOLD = 'Hold it'

export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    const why = risk(e.command)
    if (why === undefined) return next(e)
    $.ui.notice(e.tool_use_id, `guard: this ${why}`)
    const answer = await $.ui.ask(`${e.command} ${why}. Run it?`, [RUN, HOLD])
    if (answer !== RUN) return { deny: `held by guard: it ${why}, and the person said "${answer}"` }
    return next(e)
  }).catch(async () => ({ deny: 'held by guard: nobody could be asked' }))
}

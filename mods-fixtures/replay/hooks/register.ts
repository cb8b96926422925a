// Every edit of the session, to be shown again with /replay, or kept with /replay save.
import { atom, read, update } from 'claude-code'
import { type Step, show, stepsOf } from './steps'

const steps = atom({ plugin: 'replay', key: 'steps' }, [] as Step[])

export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    await $.command.register({ name: 'replay', description: 'Shows the edits of this session again' })
    return next(e)
  })

  on('tool.call', { tool: ['Edit', 'Write', 'MultiEdit'] }, async ($: any, e: any, next: any) => {
    const answer = await next(e)
    if (answer.isError || answer.deny !== undefined) return answer
    await update($, steps, (list: Step[]) => [...list, ...stepsOf(e)])
    return answer
  })

  on('turn.complete', async ($: any, e: any, next: any) => {
    const answer = await next(e)
    const list = await read($, steps)
    const files = new Set(list.map((step: Step) => step.file)).size
    if (list.length > 0) $.ui.toast(`${list.length} edits in ${files} files; /replay shows them`)
    return answer
  })

  on('command.run', { command: 'replay' }, async ($: any, e: any) => {
    const text = show(await read($, steps))
    if (e.args !== 'save') return { text }
    await $.fs.write('replay.txt', `${text}\n`)
    return { text: `${text}\nkept in replay.txt` }
  })
}

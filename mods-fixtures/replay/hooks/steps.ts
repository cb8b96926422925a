export interface Step {
  file: string
  before: string | null
  after: string
}

/** What a call of an editing tool does, step by step. */
export function stepsOf(call: any): Step[] {
  if (call.tool === 'Write') return [{ file: call.file_path, before: null, after: call.content }]
  const edits = call.tool === 'MultiEdit' ? call.edits : [call]
  return edits.map((edit: any) => ({ file: call.file_path, before: edit.old_string, after: edit.new_string }))
}

const marked = (mark: string, text: string) => text.trimEnd().split('\n').map((line) => `   ${mark} ${line}`)

/** All steps as lines: what went, what came. */
export function show(steps: readonly Step[]): string {
  if (steps.length === 0) return 'nothing was edited yet'
  const lines = steps.flatMap((step, index) => [
    `${index + 1}. ${step.file}`,
    ...(step.before === null ? [] : marked('-', step.before)),
    ...marked('+', step.after),
  ])
  return lines.join('\n')
}

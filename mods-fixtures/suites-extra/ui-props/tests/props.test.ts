import { expect, test } from 'claude-code/testing'
import { COMPONENTS } from './components.js'
import { PASSED } from './expected.js'

for (const [component, props] of Object.entries(COMPONENTS)) test(component, { timeoutMs: 60000 }, async ($: any, on: any) => {
  let seen: any
  on('ui.render', ($: any, e: any) => { seen = e.props; return { type: 'Text', children: ['drawn'] } })
  const isPassed = async (name: string, how: string) => {
    await $.ui.render({ surface: 'terminal', component, requestId: `r ${name} ${how}`, props })
    return JSON.stringify(seen) !== JSON.stringify(props)
  }
  expect(await isPassed('none', 'added'), 'a prop of another name').toBe(PASSED[component].length > 0)
  for (const name of Object.keys(props)) {
    const passed: string[] = []
    for (const how of ['changed', 'removed', 'null', 'other']) if (await isPassed(name, how)) passed.push(how)
    expect(passed, name).toEqual(PASSED[component + ' ' + name])
  }
})

import { cases } from './cases.js'

export function register(on: any) {
  on('ui.render', { component: 'Pane' }, async ($: any, e: any) => cases($.ui.resolve(e))[e.requestId]()).catch(async ($: any, e: any) => {
    const { Text } = $.ui.resolve(e)
    return <Text>refused</Text>
  })
  on('command.run', { command: 'names' }, async () => ({ text: JSON.stringify(Object.keys(cases({}))) }))
}

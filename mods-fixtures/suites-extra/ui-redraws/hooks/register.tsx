import { atom, read, update } from 'claude-code'

const count = atom({ plugin: 'ui-redraws', key: 'count' }, 0)
let draws = 0
const seen: any[] = []
const twice = async ($: any) => { await update($, count, (x: any) => x + 1); await update($, count, (x: any) => x + 1) }

export function register(on: any) {
  on('ui.render', { component: 'Pane' }, async ($: any, e: any) => {
    const { Box, Text, Button, Client, Link, Progress } = $.ui.resolve(e)
    draws++
    switch (e.requestId) {
      case 'refused': return <Box zIndex={1} />
      case 'client': return <Box><Client key="c" module="./panel.tsx" props={{}} /></Box>
      case 'raw': return <Box><Text bold>b</Text><Link href="ftp://x">q</Link><Progress label="p" value={1} max={2} /></Box>
      case 'atoms': return <Box><Text>{`n ${await read($, count)} draws ${draws}`}</Text><Button key="twice" label="T" onPress={() => twice($)} /></Box>
    }
    return <Box><Text>{`draws ${draws}`}</Text><Button key="go" label="Go" onPress={(p: any) => { seen.push(Object.isFrozen(p)) }} /></Box>
  })
  on('ui.press', async ($: any, e: any, next: any) => { seen.push(e); return next(e) })
  on('ui.input', async ($: any, e: any, next: any) => { seen.push(e); return next(e) })
  on('command.run', { command: 'seen' }, async () => ({ text: JSON.stringify(seen.splice(0)) }))
  on('command.run', { command: 'twice' }, async ($: any) => { await twice($); return { text: '' } })
  on('command.run', { command: 'invalidate' }, async ($: any) => { $.ui.invalidate('ui.render'); $.ui.invalidate('ui.render'); return { text: '' } })
}

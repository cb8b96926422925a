export function register(on) { on('ui.render', { component: 'AbovePrompt' }, async ($, e, next) => { const { Box, Text } = $.ui.resolve(e); return <Box><Text>hi</Text></Box> }) }

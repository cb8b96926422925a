export function register(on) {
  on('plugin.register', async ($, e, next) => e.uses.calls.includes('fs.write') ? { refuse: 'no' } : next(e))
}

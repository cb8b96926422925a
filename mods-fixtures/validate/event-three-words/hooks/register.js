export function register(on) { on('weather.today.read', async ($, e, next) => next(e)) }

class Weather { today() { return 'rain' } }
const days = { today: new Weather() }
export function register(on) {
  on('engine.create', async ($, e, next) => ({ ...(await next(e)), weather: new Weather(), day: days.today }))
}

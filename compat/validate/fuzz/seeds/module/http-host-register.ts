export function register(on) {
  on('session.start', async ($, e, next) => { await $.http.fetch('https://api.example.com/x'); return next(e) })
}

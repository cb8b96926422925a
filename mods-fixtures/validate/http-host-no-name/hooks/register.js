export function register(on) {
  on('session.start', async ($, e, next) => {
    await $.http.fetch('https://*.example.com/x')
    await $.http.fetch('https://a_b.example.com/x')
    return next(e)
  })
}

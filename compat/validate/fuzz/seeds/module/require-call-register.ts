export function register(on) {
  const fs = require('fs'); on('session.start', async ($, e, next) => next(e))
}

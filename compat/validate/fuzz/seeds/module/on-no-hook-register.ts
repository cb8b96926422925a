export function register(on) {
  on('session.start')
}

export function register(on: any) {
  on('tool.check', ($: any, e: any, next: any) => next(e))
}

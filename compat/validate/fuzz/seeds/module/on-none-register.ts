export function register(on) {

}

// What lies outside of every mod.
export const secret = 'outside'

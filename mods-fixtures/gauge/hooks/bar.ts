const CELLS = 10

/** A bar of ten cells and the share in percent. */
export function bar(share: number): string {
  const full = Math.min(CELLS, Math.round(share * CELLS))
  return `${'▰'.repeat(full)}${'▱'.repeat(CELLS - full)} ${Math.round(share * 100)}%`
}

/** 24000 as 24k. */
export function short(count: number): string {
  return count >= 1000 ? `${Math.round(count / 1000)}k` : String(count)
}

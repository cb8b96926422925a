const RISKS: [RegExp, string][] = [
  [/(^|[;&|]\s*)rm\s+(-\w*[rf]\w*\s+)+/, 'deletes files for good'],
  [/\bgit\s+push\b.*(--force|-f)\b/, 'rewrites history that others may have'],
  [/\bgit\s+reset\s+--hard\b/, 'throws away changes'],
  [/\b(npm|cargo)\s+publish\b/, 'publishes a package'],
  [/>\s*\/dev\/sd/, 'writes to a disk'],
]

/** What is risky about a command; nothing where nothing is known to be. */
export function risk(command: string): string | undefined {
  return RISKS.find(([pattern]) => pattern.test(command))?.[1]
}

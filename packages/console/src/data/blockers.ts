interface Blocker {
  kind: string
  /** Counts all blockers; `names` holds only the first few. */
  count: number
  names: readonly string[]
}

/**
 * The blockers in a refused deletion's details as a sentence: `It contains 2 projects: web, mail.` Undefined where
 * the details describe something else.
 */
export function blockerText(details: unknown): string | undefined {
  const blockers = blockersIn(details)
  return blockers.length === 0 ? undefined : `It contains ${blockers.map(blockerWords).join('; ')}.`
}

function blockerWords({ kind, count, names }: Blocker): string {
  const more = count - names.length
  const named = more > 0 ? [...names, `and ${more} more`] : names
  return `${count} ${kind}${count === 1 ? '' : 's'}: ${named.join(', ')}`
}

function blockersIn(details: unknown): Blocker[] {
  if (typeof details !== 'object' || details === null || !('blockers' in details)) return []
  const { blockers } = details
  return Array.isArray(blockers) ? (blockers as Blocker[]) : []
}

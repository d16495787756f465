/**
 * Canonical JSON, over which The Update Framework signs: keys sorted by code point, no whitespace, integers only.
 * Undefined for values without such a form.
 */
export function canonicalJson(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  // Only these two characters are escaped.
  if (typeof value === 'string') return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  if (typeof value !== 'object') return undefined
  if (Array.isArray(value)) return joined(value.map(canonicalJson), '[', ']')
  const entries = Object.entries(value).sort(([a], [b]) => byCodePoint(a, b))
  const pairs = entries.map(([key, inner]) => {
    const text = canonicalJson(inner)
    return text === undefined ? undefined : `${canonicalJson(key)}:${text}`
  })
  return joined(pairs, '{', '}')
}

const joined = (parts: readonly (string | undefined)[], open: string, close: string): string | undefined =>
  parts.includes(undefined) ? undefined : `${open}${parts.join(',')}${close}`

/** Strings compare by UTF-16 units in JavaScript, which differs outside the basic plane. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  for (const [index, character] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
  }
  return left.length - right.length
}

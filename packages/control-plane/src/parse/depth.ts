/** Nesting levels allowed in a JSON body; the contract's bodies have fewer than ten. */
export const maxDepth = 64

/**
 * The position at which a JSON text exceeds the nesting limit, or undefined. Recursive code overflows on deep
 * values, so the text is checked before it is parsed.
 */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    // An escaped character never ends a string.
    if (sign === '\\') at++
    else if (sign === '"') isInString = !isInString
    else if (isInString) continue
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > maxDepth) return at
  }
  return undefined
}

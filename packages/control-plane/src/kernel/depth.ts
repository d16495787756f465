/** Levels that a JSON body may have; bodies of the contract have fewer than ten. */
export const maxDepth = 64

/**
 * Where a JSON text is nested too deeply, as a position; undefined where it is not. Whatever looks into a value by
 * calling itself overflows on a deep one, so the text is measured before anything is made of it.
 */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    // What follows a backslash never ends a string.
    if (sign === '\\') at++
    else if (sign === '"') isInString = !isInString
    else if (isInString) continue
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > maxDepth) return at
  }
  return undefined
}

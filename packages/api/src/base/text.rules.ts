/**
 * Lengths of texts are counted in characters as the API description counts them, which are code points: an emoji is one
 * of them and two units of a JavaScript string.
 */
export function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false
  return text.length > 2 * max || Array.from(text).length > max
}

/** The first characters of a text. `slice` could leave half of the last one, which is no text. */
export const firstOf = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('')

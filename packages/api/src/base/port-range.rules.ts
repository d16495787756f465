import { isReversed, type NumberRange, readRange } from './number-range.rules.ts'

/** `443` or `8000-8100`, in the API's format. */
export const readPortRange = (text: string): NumberRange | undefined =>
  readRange(text, { digits: 5, min: 1, max: 65_535 })

/** A form's message for a port range; surrounding blanks are ignored (specification, section 5). */
export function portRangeProblem(text: string): string | undefined {
  const range = readPortRange(text.trim())
  return range && !isReversed(range) ? undefined : 'Not a valid port range'
}

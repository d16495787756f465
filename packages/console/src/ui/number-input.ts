/** Keeps the characters of a number: digits, one point, and a leading minus if it may be negative. */
export function stripTyped(text: string, allowsMinus: boolean) {
  const sign = allowsMinus && text.trim().startsWith('-') ? '-' : ''
  const [whole = '', ...decimals] = text.replace(/[^0-9.]/g, '').split('.')
  return sign + (decimals.length > 0 ? `${whole}.${decimals.join('')}` : whole)
}

export function parseNumber(text: string) {
  if (!/\d/.test(text)) return undefined
  return Number(text)
}

export const clamp = (value: number, min: number, max = Infinity) => Math.min(max, Math.max(min, value))

/** The next value up or down. An empty field starts at the minimum. */
export function stepped(value: number | undefined, by: number, min: number, max?: number) {
  if (value === undefined) return by > 0 ? min : (max ?? min)
  // Rounded, because 0.1 + 0.2 would otherwise show all its digits.
  return clamp(Math.round((value + by) * 1e6) / 1e6, min, max)
}

export type Comparable = string | number | bigint | boolean

/**
 * Negative, zero or positive. Both sides are of one type; numbers and bigints compare by value, and texts by
 * the bytes of their UTF-8.
 */
export function compare(left: Comparable, right: Comparable): number {
  if (typeof left === 'string' && typeof right === 'string') return compareBytes(left, right)
  return left < right ? -1 : left > right ? 1 : 0
}

function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const difference = rank(left.charCodeAt(at)) - rank(right.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Surrogates stand for the characters beyond all others, so they sort last, which UTF-16 does not do. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** Whether an order relation holds for the result of a comparison. */
export const relations: Record<'==' | '!=' | '<' | '<=' | '>' | '>=', (order: number) => boolean> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

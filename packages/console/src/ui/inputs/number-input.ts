const clamp = (value: number, min: number, max = Infinity) => Math.min(max, Math.max(min, value))

/** The next value up or down. An empty field starts at the minimum. */
export function stepped(value: number | undefined, by: number, min: number, max?: number) {
  if (value === undefined) return by > 0 ? min : (max ?? min)
  // Rounded, because 0.1 + 0.2 would otherwise show all its digits.
  return clamp(Math.round((value + by) * 1e6) / 1e6, min, max)
}

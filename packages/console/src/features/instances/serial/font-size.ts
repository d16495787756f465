/** In pixels; the design's size. */
export const defaultSize = 13
export const smallestSize = 9
export const largestSize = 24

const key = 'gantry-console-text-size'

export const clampSize = (size: number): number => Math.min(largestSize, Math.max(smallestSize, size))

export function readSize(): number {
  try {
    const kept = Number(localStorage.getItem(key) ?? defaultSize)
    return Number.isInteger(kept) ? clampSize(kept) : defaultSize
  } catch {
    return defaultSize
  }
}

export function keepSize(size: number): void {
  try {
    localStorage.setItem(key, String(size))
  } catch {
    // Storage can be forbidden; the size then lasts until the page closes.
  }
}

/** In pixels; the design's size. */
export const defaultSize = 13
export const smallestSize = 9
export const largestSize = 24

const key = 'gantry-console-text-size'

export const clampSize = (size: number): number => Math.min(largestSize, Math.max(smallestSize, size))

export function readSize(): number {
  try {
    const stored = Number(localStorage.getItem(key) ?? defaultSize)
    return Number.isInteger(stored) ? clampSize(stored) : defaultSize
  } catch {
    return defaultSize
  }
}

export function saveSize(size: number): void {
  try {
    localStorage.setItem(key, String(size))
  } catch {
    // Storage can be forbidden; the size then lasts until the page closes.
  }
}

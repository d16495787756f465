import { type RefObject, useSyncExternalStore } from 'react'

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

const subscribe = (listener: () => void): (() => void) => {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** Some browsers cannot capture Escape for the page. */
type Keyboard = { lock?: (keys: string[]) => Promise<void>; unlock?: () => void }
const keyboard = (): Keyboard | undefined => (navigator as { keyboard?: Keyboard }).keyboard

/**
 * Shows an element in full screen. Where the browser allows it, a short Escape goes to the instance, whose editors
 * need it, and a long one leaves full screen; `hint` explains which.
 */
export function useFullScreen(element: RefObject<HTMLElement | null>) {
  const isFull = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
  async function toggle(): Promise<void> {
    if (document.fullscreenElement) {
      keyboard()?.unlock?.()
      return document.exitFullscreen()
    }
    await element.current?.requestFullscreen()
    await keyboard()
      ?.lock?.(['Escape'])
      .catch(() => undefined)
  }
  return {
    isFull,
    isPossible: document.fullscreenEnabled,
    toggle: () => void toggle().catch(() => undefined),
    hint: keyboard()?.lock ? 'Hold Esc to exit full screen' : 'Press Esc to exit full screen',
  }
}

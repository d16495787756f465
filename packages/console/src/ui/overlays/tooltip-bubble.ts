import { tether, type Side } from './tether.ts'

/** Shows the bubble at its target until the returned function is called. */
export function showBubble(bubble: HTMLElement, target: Element, side: Side, onHide: () => void) {
  const release = tether(bubble, target, side, 'center')
  bubble.showPopover()
  const listeners = new AbortController()
  const options = { capture: true, signal: listeners.signal }
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      // Escape closes the innermost element first, so a dialog around the tooltip stays.
      event.preventDefault()
      event.stopPropagation()
      onHide()
    },
    options,
  )
  // After a tap, no pointer leaves the target, and the target may not have the focus to lose.
  document.addEventListener(
    'pointerdown',
    (event) => {
      if (!event.composedPath().includes(target)) onHide()
    },
    options,
  )
  document.addEventListener('pointercancel', onHide, options)
  document.addEventListener(
    'scroll',
    (event) => {
      // The keyboard moves the focus first and then scrolls to it.
      const isScrolled = event.target instanceof Node && event.target.contains(target)
      if (isScrolled && !target.matches(':focus-visible')) onHide()
    },
    options,
  )
  return () => {
    listeners.abort()
    release()
    if (bubble.matches(':popover-open')) bubble.hidePopover()
  }
}

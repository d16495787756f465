import { tether, type Side } from './tether.ts'

/** Shows the bubble at its target until the returned function is called or Escape is pressed. */
export function showBubble(bubble: HTMLElement, target: Element, side: Side, onEscape: () => void) {
  const release = tether(bubble, target, side, 'center')
  bubble.showPopover()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Escape closes the innermost element first, so a dialog around the tooltip stays.
    event.preventDefault()
    event.stopPropagation()
    onEscape()
  }
  document.addEventListener('keydown', onKeyDown, true)
  return () => {
    document.removeEventListener('keydown', onKeyDown, true)
    release()
    if (bubble.matches(':popover-open')) bubble.hidePopover()
  }
}

// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { createStore } from '#/store.ts'

const slots = new Map<string, HTMLElement>()
/** Counts bars that came or went. */
export const barChanges = createStore(0)

/**
 * Where the bar of a list shows the button of its view, by the id of the list. Both can have it before the other is
 * there: if the bar told the view where to go, each list would render again.
 */
export function viewSlot(list: string): HTMLElement {
  const slot = slots.get(list) ?? document.createElement('div')
  slots.set(list, slot)
  return slot
}

/** A `ref` for where that place is. */
export const holdsViewSlot =
  (list: string) =>
  (holder: HTMLElement | null): (() => void) | undefined => {
    if (!holder) return undefined
    const slot = viewSlot(list)
    holder.append(slot)
    barChanges.set(barChanges.get() + 1)
    return () => {
      // The next bar may have it already.
      if (slot.parentElement === holder) slot.remove()
      barChanges.set(barChanges.get() + 1)
    }
  }

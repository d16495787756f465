// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { createStore } from '#/store.ts'

/** Where the bar of a list takes the button of its view, by the id of the list. */
export const viewSlots = createStore<Readonly<Record<string, HTMLElement>>>({})

/** A `ref` for that place. */
export const viewSlot =
  (list: string) =>
  (element: HTMLElement | null): void => {
    const { [list]: _left, ...others } = viewSlots.get()
    viewSlots.set(element ? { ...others, [list]: element } : others)
  }

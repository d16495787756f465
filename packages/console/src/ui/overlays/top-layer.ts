import { createStore } from '#/store.ts'

/**
 * The open modal dialogs, the innermost last. Everything outside the innermost is inert, so elements that must stay
 * usable (toasts, suggestion lists) are rendered into it.
 */
export const openDialogs = createStore<readonly HTMLElement[]>([])

/** Returns a function to call when the dialog closes. */
export function enterTopLayer(dialog: HTMLElement) {
  openDialogs.set([...openDialogs.get(), dialog])
  return () => openDialogs.set(openDialogs.get().filter((each) => each !== dialog))
}

/**
 * The open modal dialogs, the innermost last. Everything outside the innermost is inert, so elements that must stay
 * usable (toasts, suggestion lists) are rendered into it.
 */
const open: HTMLElement[] = []
const listeners = new Set<() => void>()

export function enterTopLayer(dialog: HTMLElement) {
  open.push(dialog)
  notify()
  return () => {
    open.splice(open.lastIndexOf(dialog), 1)
    notify()
  }
}

export const innermostDialog = () => open.at(-1)

export function subscribeTopLayer(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const notify = () => listeners.forEach((listener) => listener())

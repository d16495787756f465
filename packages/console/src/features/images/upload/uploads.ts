import type { UploadTask } from './task.ts'

interface Shown {
  task: UploadTask
  /** Its progress is a small sign beside the page, and not a dialog over it. */
  isHidden: boolean
  onClose: () => void
}

let shown: Shown | undefined
const listeners = new Set<() => void>()

function set(next: Shown | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}

/** The upload of this tab: there is one at a time, and it lives for as long as the page, wherever one goes in it. */
export const uploads = {
  current: (): Shown | undefined => shown,
  open: (task: UploadTask, onClose: () => void): void => set({ task, isHidden: false, onClose }),
  show: (): void => shown && set({ ...shown, isHidden: false }),
  hide: (): void => shown && set({ ...shown, isHidden: true }),
  close: (): void => {
    shown?.onClose()
    set(undefined)
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

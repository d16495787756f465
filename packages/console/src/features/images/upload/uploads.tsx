import { useSyncExternalStore } from 'react'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { UploadTask } from './task.ts'

interface Shown {
  task: UploadTask
  /** Shows a small indicator beside the page instead of the dialog. */
  isHidden: boolean
  onClose: () => void
}

let shown: Shown | undefined
const listeners = new Set<() => void>()

function set(next: Shown | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}

/** This tab's upload: one at a time, for the lifetime of the page, whatever route is open. */
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

const UploadSlot = lazyPart(() => import('./UploadSlot.tsx'), 'UploadSlot')

/** This tab's upload, if any. */
export function UploadOverlay() {
  const upload = useSyncExternalStore(uploads.subscribe, uploads.current)
  return upload && <UploadSlot task={upload.task} isHidden={upload.isHidden} />
}

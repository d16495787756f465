import { createStore } from '#/store.ts'
import type { UploadTask } from './task.ts'

interface Shown {
  task: UploadTask
  /** Shows a small indicator beside the page instead of the dialog. */
  isHidden: boolean
  onClose: () => void
}

/** This tab's upload: one at a time, for the lifetime of the page, whatever route is open. */
export const runningUpload = createStore<Shown | undefined>(undefined)

export function showUpload(isShown: boolean): void {
  const running = runningUpload.get()
  if (running) runningUpload.set({ ...running, isHidden: !isShown })
}

export function closeUpload(): void {
  runningUpload.get()?.onClose()
  runningUpload.set(undefined)
}

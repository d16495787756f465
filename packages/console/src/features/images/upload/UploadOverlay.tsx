import { useSyncExternalStore } from 'react'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { uploads } from './uploads.ts'

const UploadSlot = lazyPart(() => import('./UploadSlot.tsx'), 'UploadSlot')

/** This tab's upload, if any. */
export function UploadOverlay() {
  const upload = useSyncExternalStore(uploads.subscribe, uploads.current)
  return upload && <UploadSlot task={upload.task} isHidden={upload.isHidden} />
}

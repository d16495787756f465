import { useSyncExternalStore } from 'react'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { uploads } from './uploads.ts'

const UploadSlot = lazyPart(() => import('./UploadSlot.tsx'), 'UploadSlot')

/** The upload of this tab, if there is one. */
export function UploadOverlay() {
  const upload = useSyncExternalStore(uploads.subscribe, uploads.current)
  return upload && <UploadSlot task={upload.task} isHidden={upload.isHidden} />
}

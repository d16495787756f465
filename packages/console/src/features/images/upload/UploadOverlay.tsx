import { useStore } from '#/store.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { runningUpload } from './running-upload.ts'

const UploadSlot = lazyPart(() => import('./UploadSlot.tsx'), 'UploadSlot')

/** This tab's upload, if any. */
export function UploadOverlay() {
  const upload = useStore(runningUpload)
  return upload && <UploadSlot task={upload.task} isHidden={upload.isHidden} />
}

import { useEffect, useSyncExternalStore } from 'react'
import { failureText } from '#/features/common/failure-text.ts'
import { linkedSuccessMessage } from '#/features/common/success-message.tsx'
import { toast } from '#/ui/toast.ts'
import { projectImageLink } from '../links.ts'
import type { Phase, UploadTask } from './task.ts'
import { UploadDialog } from './UploadDialog.tsx'
import { uploads } from './uploads.ts'
import { UploadSign } from './UploadSign.tsx'

/** This tab's upload, over any page. */
export function UploadSlot({ task, isHidden }: { task: UploadTask; isHidden: boolean }) {
  const { phase } = useSyncExternalStore(task.subscribe, task.state)
  useEffect(() => {
    if (isHidden) reportEnd(task, phase)
  }, [task, isHidden, phase])
  return isHidden ? <UploadSign task={task} /> : <UploadDialog task={task} />
}

/** Nobody sees the dialog, so a toast reports the end. */
function reportEnd(task: UploadTask, phase: Phase): void {
  const { failure } = task.state()
  const { name, project } = task.about
  if (phase === 'done') {
    toast.success(linkedSuccessMessage('image', name, 'uploaded', projectImageLink(project, name)))
    uploads.close()
  }
  if (phase === 'failed' && failure)
    toast.error({ title: `Could not upload image ${name}`, text: failureText(failure) })
}

import { useEffect, useSyncExternalStore } from 'react'
import { toast } from '../../../ui/toast.ts'
import { failureText } from '../../common/failure-text.ts'
import { PathLink } from '../../common/PathLink.tsx'
import { told } from '../../common/told.tsx'
import { imagePaths } from '../queries.ts'
import type { Phase, UploadTask } from './task.ts'
import { UploadDialog } from './UploadDialog.tsx'
import { UploadSign } from './UploadSign.tsx'
import { uploads } from './uploads.ts'

/** The upload of this tab, over whatever page is shown. */
export function UploadSlot({ task, isHidden }: { task: UploadTask; isHidden: boolean }) {
  const { phase } = useSyncExternalStore(task.subscribe, task.state)
  useEffect(() => {
    if (isHidden) tellEnd(task, phase)
  }, [task, isHidden, phase])
  return isHidden ? <UploadSign task={task} /> : <UploadDialog task={task} />
}

/** Nobody is looking, so the end is told. */
function tellEnd(task: UploadTask, phase: Phase): void {
  const { failure } = task.state()
  const { name, project } = task.about
  if (phase === 'done') {
    toast.success({
      text: told('Image', name, 'uploaded'),
      action: (
        <PathLink to={imagePaths.list(project)} className="link">
          View images
        </PathLink>
      ),
    })
    uploads.close()
  }
  if (phase === 'failed' && failure)
    toast.error({ title: `Could not upload image ${name}`, text: failureText(failure) })
}

import { useEffect, useSyncExternalStore } from 'react'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { Button } from '#/ui/Button.tsx'
import { Progress } from '#/ui/data/Progress.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { projectImageLink } from '../links.ts'
import { percentOf } from './progress.ts'
import { type Phase, phaseWords, type UploadTask } from './task.ts'
import { UploadDialog } from './UploadDialog.tsx'
import { closeUpload, showUpload } from './running-upload.ts'

/** This tab's upload, over any page. */
export function UploadSlot({ task, isHidden }: { task: UploadTask; isHidden: boolean }) {
  const { phase } = useSyncExternalStore(task.subscribe, task.state)
  useEffect(() => {
    if (isHidden) reportEnd(task, phase)
  }, [task, isHidden, phase])
  return isHidden ? <UploadSign task={task} /> : <UploadDialog task={task} />
}

/** The dialog is not in sight, so a toast reports the end. */
function reportEnd(task: UploadTask, phase: Phase): void {
  const { failure } = task.state()
  const { name, project } = task.about
  if (phase === 'done') {
    toast.success(linkedSuccessMessage('image', name, 'uploaded', projectImageLink(project, name)))
    closeUpload()
  }
  if (phase === 'failed' && failure)
    toast.error({ title: `Could not upload image ${name}`, text: failureText(failure) })
}

/** An indicator for an upload in the background. */
function UploadSign({ task }: { task: UploadTask }) {
  const { phase, bytes, converted } = useSyncExternalStore(task.subscribe, task.state)
  const { name, size } = task.about
  const percent = converted ?? percentOf(bytes, size)
  const isConverting = converted !== undefined && phase === 'running'
  return (
    <section
      aria-label="Image upload"
      data-print="hide"
      className="fixed right-4 bottom-20 w-(--toast-width) max-w-[calc(100vw-2rem)] rounded-block bg-float px-3.5 py-3 text-sm text-text shadow-dialog forced:border"
    >
      <div className="flex items-center gap-3">
        <p className="min-w-0 grow wrap-anywhere">
          {isConverting ? 'Converting' : phaseWords[phase]} <strong>{name}</strong>,{' '}
          <span className="tabular-nums">{percent} %</span>
        </p>
        <Button onClick={() => showUpload(true)}>Show</Button>
      </div>
      <div className="mt-2">
        <Progress label={`${isConverting ? 'Conversion' : 'Upload'} of ${name}`} percent={percent} />
      </div>
    </section>
  )
}

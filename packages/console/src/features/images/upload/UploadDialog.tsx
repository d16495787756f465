import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Button } from '#/ui/Button.tsx'
import { ConfirmDialog } from '#/ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { run } from './launch.tsx'
import type { UploadTask } from './task.ts'
import { closeUpload, showUpload } from './running-upload.ts'
import { UploadSteps } from './UploadSteps.tsx'

/** An upload's progress, step by step. Closing the dialog during the upload means cancelling, after a confirmation. */
export function UploadDialog({ task }: { task: UploadTask }) {
  const { phase, failure } = useSyncExternalStore(task.subscribe, task.state)
  const [isAsking, setAsking] = useState(false)
  const isOver = phase === 'done' || phase === 'failed' || phase === 'cleaning'
  const whyNotCancel = task.whyNotCancel()
  // Skip the prompt once the upload is past cancelling, even if it later resumes.
  if (isAsking && (isOver || whyNotCancel)) setAsking(false)

  function leave(): void {
    if (isOver) closeUpload()
    else if (!whyNotCancel) setAsking(true)
  }

  function cancel(): void {
    setAsking(false)
    // The upload may have resumed since this rendered.
    if (task.whyNotCancel()) return
    void task.cancel()
    closeUpload()
  }

  return (
    <>
      <Dialog
        title="Image upload progress"
        onRequestClose={leave}
        footer={
          <>
            {!isOver && (
              <Button size="lg" kind="quiet" className="mr-auto" onClick={() => showUpload(false)}>
                Continue in background
              </Button>
            )}
            <Rerun task={task} />
            <Button size="lg" disabledReason={isOver ? undefined : whyNotCancel} onClick={leave}>
              {isOver ? 'Back' : 'Cancel'}
            </Button>
            <Button
              size="lg"
              kind="primary"
              disabledReason={phase === 'done' ? undefined : 'The image is not there yet'}
              onClick={closeUpload}
            >
              Done
            </Button>
          </>
        }
      >
        {failure && (
          <ErrorNote
            title="Something went wrong"
            errors={[failureText(failure)]}
            {...(failure.requestId && { requestId: failure.requestId })}
          />
        )}
        {phase === 'waiting' && (
          <Note kind="busy" title="The server cannot be reached">
            Nothing is lost. The upload resumes automatically when the server is back.
          </Note>
        )}
        <UploadSteps task={task} />
      </Dialog>
      {isAsking && (
        <ConfirmDialog
          title="Cancel upload"
          kind="danger"
          cancelLabel="Keep uploading"
          confirmLabel="Cancel upload"
          onCancel={() => setAsking(false)}
          onConfirm={cancel}
        >
          <p>
            Are you sure you want to cancel the upload of <strong>{task.about.name}</strong>? Data uploaded so
            far is discarded.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Pause and resume, and retry after a failure, for upload methods that support them. */
function Rerun({ task }: { task: UploadTask }) {
  const { phase, steps } = useSyncExternalStore(task.subscribe, task.state)
  const queryClient = useQueryClient()
  if (!task.flow.isResumable) return null
  if (phase === 'failed')
    return (
      <Button size="lg" onClick={() => void run(queryClient, task)}>
        Try again
      </Button>
    )
  if (phase === 'paused')
    return (
      <Button size="lg" onClick={() => task.resume()}>
        Resume
      </Button>
    )
  if (phase !== 'running' || steps[task.flow.bytesStep] !== 'running') return null
  return (
    <Button size="lg" onClick={() => task.pause()}>
      Pause
    </Button>
  )
}

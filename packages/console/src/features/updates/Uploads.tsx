import * as op from '@gantry/api/client/operations.gen'
import { whyNot } from '@gantry/api/base/state.rules'
import { updateUploadAllows } from '@gantry/api/system/update.rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { FileButton } from '#/features/images/upload/FileButton.tsx'
import { useStore } from '#/store.ts'
import { Button } from '#/ui/Button.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { Progress } from '#/ui/data/Progress.tsx'
import { repositoryUploads, type RepositoryUpload } from './queries.ts'
import { resumeUpload, type Running, runningUpload } from './upload.ts'

/** Uploads that are in progress, stopped or refused. Completed ones appear as releases. */
export function Uploads() {
  const { data } = useQuery(repositoryUploads)
  const running = useStore(runningUpload)
  const shown = data?.items.filter(({ state }) => state !== 'done') ?? []
  if (shown.length === 0) return null
  return (
    <section aria-label="Uploads" className="space-y-2">
      {shown.map((upload) => (
        <UploadNote key={upload.id} upload={upload} running={running} />
      ))}
    </section>
  )
}

function UploadNote({ upload, running }: { upload: RepositoryUpload; running: Running | undefined }) {
  const { id, fileName, state, size, failure } = upload
  const queryClient = useQueryClient()
  const whyNotOnFleet = useWhyNotOnFleet()
  const remove = useOp(op.updateUploadDelete)
  const [problem, setProblem] = useState<string>()
  const here = running?.id === id ? running : undefined
  const sent = here ? here.sent : upload.bytesReceived
  const percent = Math.floor((100 * sent) / size)

  const resume = async (file: File): Promise<void> => {
    const isOther = file.size !== size
    setProblem(isOther ? 'This is a different file: its size differs.' : undefined)
    if (!isOther) await resumeUpload(queryClient, upload, file)
  }
  const discard = (): void =>
    confirmAction({
      title: 'Discard upload',
      content: (
        <p>
          Are you sure you want to discard the upload of <strong>{fileName}</strong>? It ends wherever it is
          still running.
        </p>
      ),
      kind: 'danger',
      confirmLabel: 'Discard',
      pendingLabel: 'Discarding',
      errorTitle: 'Could not discard upload',
      success: successMessage('Upload of', fileName, 'discarded'),
      run: () => remove.run({ path: { uploadId: id } }),
    })

  return (
    <Note
      kind={state === 'failed' ? 'fail' : 'note'}
      title={titleOf(upload, here, percent)}
      action={
        here && state === 'open' ? (
          <Button onClick={here.stop}>Stop</Button>
        ) : (
          state !== 'checking' && (
            <div className="flex flex-wrap gap-2">
              {state === 'open' && (
                <FileButton
                  disabledReason={
                    whyNotOnFleet ?? (running ? 'Another release is being uploaded in this tab' : undefined)
                  }
                  onChoose={(file) => void resume(file)}
                >
                  Choose file
                </FileButton>
              )}
              <Button
                disabledReason={whyNotOnFleet ?? whyNot(updateUploadAllows, 'delete', state)}
                onClick={discard}
              >
                Discard
              </Button>
            </div>
          )
        )
      }
    >
      {state === 'open' && (
        <div className="my-2">
          <Progress label={`Upload of ${fileName}`} percent={percent} />
        </div>
      )}
      {state === 'open' && !here && <p>If it has stopped, choose the same file again to resume it.</p>}
      {failure && <p>{failureText({ message: failure.message, help: failure.nextStep })}</p>}
      {problem && (
        <p role="alert" className="text-fail-text">
          {problem}
        </p>
      )}
    </Note>
  )
}

function titleOf({ fileName, state }: RepositoryUpload, here: Running | undefined, percent: number): string {
  if (state === 'checking') return `Verifying ${fileName}`
  if (state === 'failed') return `${fileName} was refused`
  if (here?.isWaiting) return `Waiting for the server: ${fileName}, ${percent} %`
  return here ? `Uploading ${fileName}: ${percent} %` : `The server has ${percent} % of ${fileName}`
}

import * as op from '@gantry/api/client/operations.gen'
import { imageUploadAllows, imageUploadIdleHours } from '@gantry/api/storage/image-upload.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { Button } from '#/ui/Button.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { useStore } from '#/store.ts'
import type { ImageUpload } from './queries.ts'
import { FileButton } from './FileButton.tsx'
import { finish, resumeWithFile } from './resume-upload.ts'
import { uploadRecords } from './browser-uploads.ts'
import { runningUpload } from './running-upload.ts'
import { percentOf } from './progress.ts'

interface Props {
  project: string
  upload: ImageUpload
  /** Another tab of this browser runs it. */
  runsInOtherTab: boolean
}

export function UnfinishedUpload({ project, upload, runsInOtherTab }: Props) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const isRunningHere = useStore(runningUpload) !== undefined
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.imageUploadDelete)
  const { id, name, size, state, bytesReceived, failure } = upload
  const record = uploadRecords.read(id)
  const isFetched = Boolean(upload.sourceUrl)
  const isWhole = isFetched || bytesReceived === size
  const canResume = state === 'open' && !runsInOtherTab
  const disabled =
    whyNotAllowed ?? (isRunningHere ? 'Another image is being uploaded in this tab' : undefined)

  /** Shows the reason beside the button that failed. */
  async function attempt(begin: Promise<string | undefined>): Promise<void> {
    setProblem(undefined)
    setProblem(await begin.catch((error: unknown) => failureText(asFailure(error))))
  }

  const complete = useOp(op.imageUploadComplete)
  const fetchAgain = () => complete.run({ path: { upload: id } }).then(() => undefined)

  const discard = (): void =>
    confirmAction({
      title: 'Discard upload',
      content: (
        <p>
          Are you sure you want to discard the upload of <strong>{name}</strong>? Data uploaded so far is
          lost.
        </p>
      ),
      kind: 'danger',
      confirmLabel: 'Discard',
      pendingLabel: 'Discarding',
      errorTitle: 'Could not discard upload',
      success: successMessage('Upload of', name, 'discarded'),
      run: async () => {
        await remove.run({ path: { upload: id } })
        uploadRecords.forget(id)
      },
    })

  return (
    <Note
      kind={canResume ? 'busy' : 'note'}
      title={titleOf(upload, runsInOtherTab)}
      action={
        <div className="flex flex-wrap gap-2">
          {canResume && record && !isWhole && (
            <FileButton
              disabledReason={disabled}
              onChoose={(file) => void attempt(resumeWithFile(queryClient, project, upload, record, file))}
            >
              Choose file
            </FileButton>
          )}
          {canResume && isWhole && (
            <Button
              disabledReason={isFetched ? whyNotAllowed : disabled}
              onClick={() => void attempt(isFetched ? fetchAgain() : finish(queryClient, project, upload))}
            >
              {isFetched ? 'Try again' : 'Finish'}
            </Button>
          )}
          <Button
            disabledReason={
              whyNotAllowed ??
              (runsInOtherTab ? 'Cancel it in its tab' : whyNot(imageUploadAllows, 'delete', state))
            }
            onClick={discard}
          >
            Discard
          </Button>
        </div>
      }
    >
      {canResume && !record && !isWhole && (
        <p>This upload was started in another browser or by someone else. Resume it there, or discard it.</p>
      )}
      {canResume && record && !isWhole && (
        <p>
          Choose the same file again to resume: <strong>{record.fileName}</strong>.
        </p>
      )}
      {isFetched && <p className="wrap-anywhere">{upload.sourceUrl}</p>}
      {failure && <p>{failureText({ message: failure.message, help: failure.nextStep })}</p>}
      {problem && (
        <p role="alert" className="text-fail-text">
          {problem}
        </p>
      )}
    </Note>
  )
}

function titleOf(
  { name, state, bytesReceived, size, percentConverted, sourceUrl }: ImageUpload,
  runsInOtherTab: boolean,
): string {
  const percent = `${percentOf(bytesReceived, size)} %`
  if (state === 'copying') return `Creating image ${name} from a disk`
  if (state === 'fetching') return `Fetching ${name}${size > 0 ? `: ${percent}` : ''}`
  if (state === 'open' && sourceUrl) return `Fetching ${name} failed${size > 0 ? ` at ${percent}` : ''}`
  if (state === 'completing') return `Creating image ${name} from its upload`
  if (state === 'converting') return `Converting ${name} to a raw image: ${percentConverted ?? 0} %`
  if (state === 'expired')
    return `Upload of ${name} expired: no data received for ${imageUploadIdleHours} hours`
  return runsInOtherTab
    ? `Upload of ${name} runs in another tab: ${percent}`
    : `Upload of ${name} stopped at ${percent}`
}

import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { asFailure } from '#/data/failure.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { uploadRecords } from '#/features/images/upload/browser-uploads.ts'
import { FileButton } from '#/features/images/upload/FileButton.tsx'
import { deferred } from '#/features/images/upload/flow.ts'
import { percentOf } from '#/features/images/upload/progress.ts'
import { type ImageUpload, imageUploadsIn } from '#/features/images/upload/queries.ts'
import type { UploadTask } from '#/features/images/upload/task.ts'
import { UploadSteps } from '#/features/images/upload/UploadSteps.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { type Resumed, taskOf } from './send-file.ts'

const pollMs = 5000

/** Uploads a file, or resumes an upload, and then opens the form for what it holds. */
export function ImportFile({ project }: { project: string }) {
  const { task, problem, begin, leave } = useSending(project)
  const whyNotAllowed = useWhyNotInProject(project)
  const { data: uploads = [] } = useQuery({ ...imageUploadsIn(project), refetchInterval: pollMs })
  const own = task?.flow.uploadId()
  const unfinished = uploads.filter(
    ({ id, purpose, state }) => purpose === 'instance' && state === 'open' && id !== own,
  )
  return (
    <div className="max-w-xl space-y-4.5">
      {problem && <ErrorNote title="The file cannot be uploaded" errors={[problem]} />}
      {task ? (
        <Sending task={task} onLeave={leave} />
      ) : (
        <>
          <p>
            A file that an instance was exported to, or an OVA of VirtualBox, VMware and others. It is
            uploaded, read, and shown before anything is created.
          </p>
          <FileButton disabledReason={whyNotAllowed} onChoose={(file) => void begin(file)}>
            Choose file
          </FileButton>
          {unfinished.map((upload) => (
            <Unfinished
              key={upload.id}
              project={project}
              upload={upload}
              whyNot={whyNotAllowed}
              onResume={begin}
            />
          ))}
        </>
      )}
    </div>
  )
}

/** The upload of this page. It stops when the page is left, and can be resumed here. */
function useSending(project: string) {
  const [task, setTask] = useState<UploadTask>()
  const [problem, setProblem] = useState<string>()
  const closed = useRef(deferred())
  const navigate = useNavigate()
  useEffect(() => {
    if (!task) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('beforeunload', ask)
      task.pause()
      closed.current.resolve()
    }
  }, [task])

  async function begin(file: File, resumed?: Resumed): Promise<void> {
    setProblem(undefined)
    closed.current = deferred()
    try {
      const made = await taskOf(project, file, resumed, closed.current.promise)
      if (typeof made === 'string') return setProblem(made)
      setTask(made)
      await made.start()
      const upload = made.flow.uploadId()
      if (made.state().phase === 'done' && upload !== undefined)
        await navigate({
          to: '/projects/$project/instances-import',
          params: { project },
          search: { upload },
          replace: true,
        })
    } catch (error) {
      setProblem(failureText(asFailure(error)))
    }
  }
  const leave = async (): Promise<void> => {
    await task?.cancel()
    setTask(undefined)
  }
  return { task, problem, begin, leave: () => void leave() }
}

function Sending({ task, onLeave }: { task: UploadTask; onLeave: () => void }) {
  const { phase, failure } = useSyncExternalStore(task.subscribe, task.state)
  return (
    <>
      {failure && <ErrorNote title="Something went wrong" errors={[failureText(failure)]} />}
      {phase === 'waiting' && (
        <Note kind="busy" title="The server cannot be reached">
          Nothing is lost. The upload resumes automatically when the server is back.
        </Note>
      )}
      <UploadSteps task={task} />
      <p className="text-sm text-muted">
        Stay on this page while the file is uploaded. If you leave it, resume the upload here.
      </p>
      <div className="flex gap-2">
        {phase === 'failed' && <Button onClick={() => void task.start()}>Try again</Button>}
        {phase === 'running' && <Button onClick={() => task.pause()}>Pause</Button>}
        {phase === 'paused' && <Button onClick={() => task.resume()}>Resume</Button>}
        <Button onClick={onLeave}>{phase === 'failed' ? 'Choose another file' : 'Cancel upload'}</Button>
      </div>
    </>
  )
}

interface UnfinishedProps {
  project: string
  upload: ImageUpload
  whyNot: string | undefined
  onResume: (file: File, resumed: Resumed) => Promise<void>
}

function Unfinished({ project, upload, whyNot, onResume }: UnfinishedProps) {
  const navigate = useNavigate()
  const remove = useOp(op.imageUploadDelete)
  const { id, name, size, bytesReceived, failure } = upload
  const record = uploadRecords.read(id)
  const isWhole = bytesReceived === size
  const discard = (): void =>
    confirmAction({
      title: 'Discard upload',
      content: (
        <p>
          Are you sure you want to discard the upload of <strong>{record?.fileName ?? name}</strong>?
        </p>
      ),
      kind: 'danger',
      confirmLabel: 'Discard',
      pendingLabel: 'Discarding',
      errorTitle: 'Could not discard upload',
      success: 'Upload discarded',
      run: async () => {
        await remove.run({ path: { upload: id } })
        uploadRecords.forget(id)
      },
    })
  return (
    <Note
      kind="busy"
      title={
        isWhole
          ? `${record?.fileName ?? name} is uploaded`
          : `Upload of ${record?.fileName ?? name} stopped at ${percentOf(bytesReceived, size)} %`
      }
      action={
        <div className="flex flex-wrap gap-2">
          {isWhole && (
            <Button
              disabledReason={whyNot}
              onClick={() =>
                void navigate({
                  to: '/projects/$project/instances-import',
                  params: { project },
                  search: { upload: id },
                })
              }
            >
              Continue
            </Button>
          )}
          {!isWhole && record && (
            <FileButton disabledReason={whyNot} onChoose={(file) => void onResume(file, { upload, record })}>
              Choose file
            </FileButton>
          )}
          <Button disabledReason={whyNot} onClick={discard}>
            Discard
          </Button>
        </div>
      }
    >
      {failure && <p>{failureText({ message: failure.message, help: failure.nextStep })}</p>}
      {!isWhole && (
        <p>
          {record
            ? 'Choose the same file again to resume.'
            : 'This upload was started in another browser or by someone else. Resume it there, or discard it.'}
        </p>
      )}
    </Note>
  )
}

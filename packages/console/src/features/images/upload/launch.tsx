import * as op from '@gantry/api/client/operations.gen'
import type { QueryClient } from '@tanstack/react-query'
import { invalidateKinds } from '#/data/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { deferred } from './flow.ts'
import type { UploadTask } from './task.ts'
import { runningUpload } from './running-upload.ts'

/** The requests of an upload of either kind, whose changes are refetched. */
const changed = [
  op.imageUploadCreate,
  op.imageUploadComplete,
  op.imageUploadDelete,
  op.diskCreate,
  op.diskFinalizeImport,
  op.imageCreate,
  op.snapshotDelete,
  op.diskDelete,
].flatMap(({ changes = [] }) => changes)

/** Shows and starts an upload of this tab. The task's resources live until it is closed. */
export async function launch(
  queryClient: QueryClient,
  make: (closed: Promise<void>) => Promise<UploadTask>,
): Promise<UploadTask> {
  const closed = deferred()
  try {
    const task = await make(closed.promise)
    runningUpload.set({ task, isHidden: false, onClose: closed.resolve })
    void run(queryClient, task)
    return task
  } catch (error) {
    closed.resolve()
    throw error
  }
}

/** Runs or retries the upload. Meanwhile the browser confirms before closing the page. */
export async function run(queryClient: QueryClient, task: UploadTask): Promise<void> {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  addEventListener('beforeunload', ask)
  await task.start()
  removeEventListener('beforeunload', ask)
  reportLeftover(task)
  await invalidateKinds(queryClient, changed)
}

/** Reports objects that could not be deleted, with a retry button. */
function reportLeftover(task: UploadTask): void {
  const { leftover } = task.state()
  if (!leftover) return
  const again = async (): Promise<void> => {
    toast.dismiss(id)
    await task.cleanUp()
    if (task.state().leftover) reportLeftover(task)
    else toast.success('Upload remnants removed')
  }
  const id = toast.error(
    {
      title: 'Could not clean up',
      text: `Left in project ${task.about.project}: ${task.flow.describeLeftover()}. ${failureText(leftover)}`,
      action: (
        <Button className="mt-2" onClick={() => void again()}>
          Try again
        </Button>
      ),
    },
    null,
  )
}

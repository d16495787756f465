import { allows } from '@gantry/api/base/state.rules'
import type { FailureReason } from '@gantry/api/extensions'
import type { Task } from '@gantry/api/history/task'
import { updateUploadAllows, updateUploadIdleHours } from '@gantry/api/system/update.rules'
import type { Cx } from '../../context/cx.ts'
import { type Ending, objectTasks, outcomeOf } from '../tasks/object-work.ts'
import type { Begun, TaskSource, Told } from '../tasks/source.ts'
import { updateUploadUpkeep } from './upload-background.ts'
import type { Upload } from './uploads.ts'

/** Uploads of repositories, until they are verified. */
export const updateUploadTasks: TaskSource = objectTasks({
  kind: 'update-upload',
  table: 'update_upload',
  told: async (cx, works) => {
    const open = works.flatMap(({ begun, ending }) => (ending ? [] : [begun.object_id]))
    const rows = await uploadsOf(cx, open)
    return works.map(({ begun, ending }) => {
      const row = rows.get(begun.object_id)
      return { verb: 'upload', object: objectOf(begun), ...(row ? openUpload(row) : endedUpload(ending)) }
    })
  },
})

const objectOf = ({ after }: Begun): Task['object'] => ({
  kind: 'tuf-repo',
  id: null,
  name: typeof after?.file_name === 'string' ? after.file_name : null,
})

async function uploadsOf(cx: Cx, ids: readonly string[]): Promise<Map<string, Upload>> {
  if (ids.length === 0) return new Map()
  const rows = await cx.db
    .selectFrom('update_upload')
    .selectAll()
    .where('id', 'in', ids)
    .where('time_deleted', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function openUpload({ id, state, size, received, is_stream }: Upload): Omit<Told, 'verb'> {
  const actions: Task['actions'] = []
  // One that comes as a single request is ended by its client.
  if (!is_stream) {
    if (state === 'open' && received >= size)
      actions.push({ action: 'retry', operation: 'update_upload_complete', target: id })
    if (allows(updateUploadAllows, 'delete', state))
      actions.push({ action: 'cancel', operation: 'update_upload_delete', target: id })
  }
  const isSent = state !== 'open'
  return {
    state: 'running',
    actions,
    step: { number: isSent ? 2 : 1, of: 2, label: isSent ? 'verifying' : 'sending' },
    // How much a single request will be, nothing says in advance.
    progress:
      isSent || is_stream ? null : { unit: 'bytes', done: received, running: 0, failed: 0, total: size },
  }
}

function endedUpload(ending: Ending): Omit<Told, 'verb'> {
  const outcome = outcomeOf(ending, ['done'])
  return ending?.op === 'delete' && ending.operation === `reconcile:${updateUploadUpkeep.name}`
    ? { ...outcome, state: 'failed', failure: abandoned(ending.time) }
    : outcome
}

const abandoned = (time: Date): FailureReason => ({
  code: 'upload_expired',
  message: `The upload was not continued for ${updateUploadIdleHours} hours.`,
  next_step: 'Upload the repository again.',
  details: null,
  time: time.toISOString(),
})

import { imageUploadAllows } from '@gantry/api/storage/image-upload.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { FailureReason } from '@gantry/api/extensions'
import type { Task } from '@gantry/api/history/task'
import { imageUploadIdleHours } from '@gantry/api/storage/image-upload.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { TaskSource, Told } from '../../tasks/source.ts'
import { objectTasks, outcomeOf } from '../../tasks/object-work.ts'
import { receivedOf, type Received } from '../upload-ranges.ts'

type Upload = Row<'image_upload'>

/** Uploads of images, until the image exists. */
export const imageUploadTasks: TaskSource = objectTasks({
  kind: 'image-upload',
  table: 'image_upload',
  told: async (cx, works) => {
    const open = works.flatMap(({ begun, ending }) => (ending ? [] : [begun.object_id]))
    const rows = await uploadsOf(cx, open)
    const received = await receivedOf(cx.db, [...rows.keys()])
    return works.map(({ begun: { object_id, name }, ending }) => {
      const row = rows.get(object_id)
      const image_id = ending?.after?.image_id
      const object = { kind: 'image', id: typeof image_id === 'string' ? image_id : null, name }
      if (row) return { object, ...openUpload(row, received(object_id)) }
      const told = { verb: 'upload', object, ...outcomeOf(ending, ['done']) } as const
      return ending?.after?.state === 'expired'
        ? { ...told, state: 'failed', failure: expired(ending.time) }
        : told
    })
  },
})

async function uploadsOf(cx: Cx, ids: readonly string[]): Promise<Map<string, Upload>> {
  if (ids.length === 0) return new Map()
  const rows = await cx.db
    .selectFrom('image_upload')
    .selectAll()
    .where('id', 'in', ids)
    .where('time_deleted', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function openUpload(row: Upload, { bytes }: Received): Told {
  const { id, state, size, failure, percent_converted } = row
  const isWhole = bytes >= size
  const actions: Task['actions'] = []
  if (state === 'open' && isWhole)
    actions.push({ action: 'retry', operation: 'image_upload_complete', target: id })
  if (allows(imageUploadAllows, 'delete', state))
    actions.push({ action: 'cancel', operation: 'image_upload_delete', target: id })
  const steps = row.format === null || row.format === 'raw' ? [] : ['converting']
  const labels = ['sending', ...steps, 'creating the image']
  const number = state === 'open' ? 1 : state === 'converting' ? 2 : labels.length
  return {
    verb: 'upload',
    state: state === 'open' && failure ? 'needs_attention' : 'running',
    failure,
    actions,
    step: number === 1 ? null : { number, of: labels.length, label: labels[number - 1] ?? '' },
    progress:
      state === 'open'
        ? { unit: 'bytes', done: bytes, running: 0, failed: 0, total: size }
        : state === 'converting' && percent_converted !== null
          ? { unit: 'percent', done: percent_converted, running: 0, failed: 0, total: 100 }
          : null,
  }
}

const expired = (time: Date): FailureReason => ({
  code: 'upload_expired',
  message: `The upload was not continued for ${imageUploadIdleHours} hours.`,
  next_step: 'Upload the image again.',
  details: null,
  time: time.toISOString(),
})

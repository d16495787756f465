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
      const object = objectOf(name, row ?? ending?.after ?? {})
      if (row) return { object, ...openUpload(row, received(object_id)) }
      const verb = verbOf(ending?.after ?? {})
      const told = { verb, object, ...outcomeOf(ending, ['done']) } as const
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
  const { id, state, size, failure } = row
  const isFetched = row.source_url !== null
  // An instance is made of a whole file by a request with its name.
  const isWaiting = state === 'open' && (isFetched || bytes >= size) && row.purpose === 'image'
  const actions: Task['actions'] = []
  if (isWaiting) actions.push({ action: 'retry', operation: 'image_upload_complete', target: id })
  if (allows(imageUploadAllows, 'delete', state))
    actions.push({ action: 'cancel', operation: 'image_upload_delete', target: id })
  return {
    verb: verbOf({ ...row }),
    state: state === 'open' && failure ? 'needs_attention' : 'running',
    failure,
    actions,
    step: stepOf(row),
    progress: progressOf(row, bytes),
  }
}

interface Contents {
  source_url?: unknown
  disk_id?: unknown
  purpose?: unknown
  image_id?: unknown
  instance_id?: unknown
}

/** What becomes of an upload. */
function objectOf(
  name: string | null,
  { purpose, image_id, instance_id }: Contents,
): NonNullable<Told['object']> {
  const id = purpose === 'instance' ? instance_id : image_id
  const kind = purpose === 'instance' ? 'instance' : 'image'
  return { kind, id: typeof id === 'string' ? id : null, name }
}

const verbOf = ({ source_url, disk_id, purpose }: Contents): Told['verb'] =>
  source_url || purpose === 'instance' ? 'import' : disk_id ? 'create' : 'upload'

function stepOf({ state, format, source_url, purpose }: Upload): Told['step'] {
  if (purpose === 'instance')
    return state === 'converting' ? { number: 2, of: 2, label: 'writing the disks' } : null
  if (state === 'copying') return { number: 1, of: 2, label: 'copying the disk' }
  const isMoving = state === 'open' || state === 'fetching'
  const steps = format === null || format === 'raw' ? [] : ['converting']
  const labels = [source_url === null ? 'sending' : 'fetching', ...steps, 'creating the image']
  const number = isMoving ? 1 : state === 'converting' ? 2 : labels.length
  return number === 1 ? null : { number, of: labels.length, label: labels[number - 1] ?? '' }
}

function progressOf({ state, size, percent_converted }: Upload, bytes: number): Told['progress'] {
  // The size of what is fetched is known from the first answer.
  if (state === 'open' || state === 'fetching')
    return size > 0 ? { unit: 'bytes', done: bytes, running: 0, failed: 0, total: size } : null
  return state === 'converting' && percent_converted !== null
    ? { unit: 'percent', done: percent_converted, running: 0, failed: 0, total: 100 }
    : null
}

const expired = (time: Date): FailureReason => ({
  code: 'upload_expired',
  message: `The upload was not continued for ${imageUploadIdleHours} hours.`,
  next_step: 'Upload the image again.',
  details: null,
  time: time.toISOString(),
})

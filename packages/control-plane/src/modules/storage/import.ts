import { allows } from '@gantry/api/base/state.rules'
import { bulkWriteProblem, diskAllows } from '@gantry/api/storage/disk.rules'
import type { ErrorCode } from '@gantry/api/base/errors.rules'
import type { Ops } from '@gantry/api/registry'
import type { BodyOf } from '@gantry/api/op'
import type { Row } from '../../db/tables.ts'
import { decodeBase64 } from '../../context/base64.ts'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { invalid, Refusal } from '../../context/refusal.ts'
import { refuseUnmade } from './content.ts'
import { insertSnapshot } from './snapshots.ts'
import { refuseWithoutRoom } from './content-references.ts'
import { writeBytes } from './write-bytes.ts'
import { writesEnded, writing } from './writes.ts'

type Disk = Row<'disk'>

export const startBulkWrite = (cx: Cx, at: Selectors): Promise<void> =>
  move(cx, at, 'bulkWriteStart', 'importing_from_bulk_writes')

/** No write is in progress once this has returned. */
export async function stopBulkWrite(cx: Cx, at: Selectors): Promise<void> {
  await move(cx, at, 'bulkWriteStop', 'import_ready')
  await writesEnded(cx.services)
}

async function move(
  cx: Cx,
  at: Selectors,
  action: 'bulkWriteStart' | 'bulkWriteStop',
  to: 'importing_from_bulk_writes' | 'import_ready',
): Promise<void> {
  const found = await need(cx, 'disk', at, 'modify')
  await change(cx, found.scope, async (tx) => {
    const disk = await tx.lock('disk', found.row)
    if (!allows(diskAllows, action, disk.state))
      throw invalid(`cannot set disk in state ${stateName(disk)} to "${to}"`, adviceFor(disk))
    await tx.update('disk', disk, { state: to }, { touch: false })
  })
}

/**
 * Writes blocks, in any order and concurrently. The disk's record is unchanged, so there is no transaction:
 * only the start and the end of an import are recorded.
 */
export const bulkWrite = (cx: Cx, at: Selectors, body: BodyOf<Ops['diskBulkWriteImport']>): Promise<void> =>
  writing(cx.services, async () => {
    const { row: disk } = await need(cx, 'disk', at, 'modify')
    if (!allows(diskAllows, 'bulkWrite', disk.state))
      throw invalid(
        `cannot import blocks with a bulk write for disk in state ${stateName(disk)}`,
        adviceFor(disk),
      )
    const bytes = decodeBase64(body.base64_encoded_data)
    if (typeof bytes === 'string') throw invalid(`error base64 decoding data: ${bytes}`)
    const problem = bulkWriteProblem(body.offset, bytes.length, disk)
    if (problem) throw invalid(problem, 'Send whole blocks within the disk, in smaller pieces.')
    await writeBytes(cx.services, cx.services.fleet.volumes, disk.content_id, body.offset, bytes)
  })

/**
 * Makes the disk usable, after an optional snapshot of it (control plane reference, B 6.5). Clients make an image of
 * the snapshot as soon as this is answered, so the answer waits for it however long it takes, and is a failure if it is
 * not ready then.
 */
export async function finalizeImport(
  cx: Cx,
  at: Selectors,
  { snapshot_name }: BodyOf<Ops['diskFinalizeImport']>,
): Promise<void> {
  const found = await need(cx, 'disk', at, 'modify')
  // A concurrent stop may still be waiting for its last writes.
  await writesEnded(cx.services)
  if (snapshot_name) {
    await refuseUnmade(cx, found.row)
    await refuseWithoutRoom(cx.services, cx.services.fleet.volumes, found.row.content_id)
  }
  const taken = await change(cx, found.scope, async (tx) => {
    // Locked in the global lock order, and only if something is created in it.
    if (snapshot_name) await tx.hold('project', found.row.project_id)
    const disk = await tx.lock('disk', found.row)
    if (!allows(diskAllows, 'finalize', disk.state))
      throw invalid(`cannot finalize disk in state DiskState(${stateName(disk)})`, adviceFor(disk))
    await tx.update('disk', disk, { state: snapshot_name ? 'finalizing' : 'detached' }, { touch: false })
    if (!snapshot_name) return undefined
    const description = `snapshot of finalized disk ${disk.id}`
    return insertSnapshot(tx, found.scope.silo_id ?? '', disk, { name: snapshot_name, description })
  })
  if (!taken) return
  await cx.services.runJob(taken.job, { toTheEnd: true })
  const problem = await unreadyProblem(cx, taken.snapshot.id)
  if (!problem) return
  // The change has its record, and this answer gets one too.
  cx.audited = false
  throw problem
}

/** Why a snapshot cannot be used after the first attempt to create it. */
async function unreadyProblem(cx: Cx, id: string): Promise<Refusal | undefined> {
  const snapshot = await cx.db
    .selectFrom('snapshot')
    .select(['state', 'failure'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (snapshot?.state === 'creating')
    // Without a time to try again, because the disk can be finalized only once.
    return new Refusal('ServiceNotAvailable', 'Service Unavailable', {
      help: 'The snapshot is still being created, and then the disk is finalized. Wait for both.',
    })
  if (!snapshot?.failure) return undefined
  const { code, message, next_step } = snapshot.failure
  return new Refusal(code as ErrorCode, message, { help: next_step })
}

/** A state in the spelling of these messages: `ImportReady`, `Attached(id of the instance)`. */
function stateName({ state, instance_id }: Disk): string {
  const name = state.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return instance_id === null ? name : `${name}(${instance_id})`
}

function adviceFor({ state }: Disk): string {
  if (state === 'finalizing') return 'It is being finalized. Wait until it is detached.'
  if (state === 'import_ready') return 'Call bulk-write-start first.'
  if (state === 'importing_from_bulk_writes') return 'Stop the current write with bulk-write-stop first.'
  return 'Create a disk with the source importing_blocks to import into.'
}

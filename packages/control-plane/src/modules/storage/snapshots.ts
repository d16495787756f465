import type { Snapshot, SnapshotCreate } from '@gantry/api/storage/snapshot'
import { diskAllows, whyNever } from '@gantry/api/storage/disk.rules'
import { snapshotAllows } from '@gantry/api/storage/snapshot.rules'
import { allows } from '@gantry/api/base/state.rules'
import { isUuid } from '@gantry/api/base/name.rules'
import { z } from 'zod'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import type { Row } from '../../db/tables.ts'
import { lackRefusal, lacks } from '../../fleet/capabilities.ts'
import { type Change, change } from '../../change/change.ts'
import { type Cx, systemCx } from '../../context/cx.ts'
import type { ClaimedJob, Services } from '../../context/services.ts'
import { defineJob } from '../../change/define-job.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { type Authorised, need, type Selectors } from '../../lookup/need.ts'
import { invalid, refuseIf, type Refusal, unavailable } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import { chargeLast, release } from '../silo/quota.ts'
import { recycle } from '../recycle-bin/recycle.ts'
import { removalOf } from './content-removal.ts'
import { refuseUnmade } from './content.ts'
import { createSnapshotOf, refuseWithoutRoom } from './content-references.ts'

export function snapshotView(row: Row<'snapshot'>): Snapshot {
  const { project_id, disk_id, size, state, failure, instance_snapshot_id } = row
  return resourceView(row, { project_id, disk_id, size, state, instance_snapshot_id, failure })
}

/**
 * Snapshots a disk at this point in time. The record is created at once, and this request waits for a job
 * that copies the bytes, unless that takes long; a detached disk is in `maintenance` meanwhile.
 */
export async function createSnapshot(
  cx: Cx,
  at: Selectors,
  body: z.infer<typeof SnapshotCreate>,
  /** Where it is known before the snapshot exists. */
  id?: string,
): Promise<Row<'snapshot'>> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  const diskAt = isUuid(body.disk) ? { disk: body.disk } : { disk: body.disk, project: project.id }
  const source = await need(cx, 'disk', diskAt, 'read')
  if (source.row.project_id !== project.id)
    throw invalid("can't create a snapshot of a disk in a different project")
  await refuseUnmade(cx, source.row)
  await refuseWithoutRoom(cx.services, cx.services.fleet.volumes, source.row.content_id)
  const { snapshot, job } = await change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    return beginSnapshot(tx, project.silo_id, source.row, { ...body, ...(id && { id }) })
  })
  await cx.services.runJob(job)
  return (
    (await cx.db.selectFrom('snapshot').selectAll().where('id', '=', snapshot.id).executeTakeFirst()) ??
    snapshot
  )
}

/** Begins a snapshot of a disk that can be copied now. The project is held. */
export async function beginSnapshot(
  tx: Change,
  silo_id: string,
  source: Authorised<'disk'>,
  values: Parameters<typeof insertSnapshot>[3],
): ReturnType<typeof insertSnapshot> {
  const disk = await tx.lock('disk', source)
  const never = whyNever('snapshot', disk)
  if (never) throw invalid(`cannot take a snapshot of a ${kindOf(disk)} disk`, `${never}.`)
  if (!allows(diskAllows, 'snapshot', disk.state))
    throw unavailable(
      `A disk in state ${disk.state} cannot be copied. Wait until it is attached or detached.`,
    )
  refuseIf(await liveSnapshotProblem(tx, disk))
  if (disk.state === 'detached') await tx.update('disk', disk, { state: 'maintenance' }, { touch: false })
  return insertSnapshot(tx, silo_id, disk, values)
}

const kindOf = ({ read_only }: Row<'disk'>): string => (read_only ? 'read-only' : 'local')

async function liveSnapshotProblem(tx: Change, disk: Row<'disk'>): Promise<Refusal | undefined> {
  if (disk.instance_id === null || !lacks(tx.cx.services.fleet, 'live_snapshot')) return undefined
  const instance = await tx.read
    .selectFrom('instance')
    .select('run_state')
    .where('id', '=', disk.instance_id)
    .executeTakeFirst()
  return instance && hasMachine(instance.run_state) ? lackRefusal('live_snapshot') : undefined
}

/** As a column of another row. */
export const storedHardware = ({ hardware }: Pick<Row<'disk'>, 'hardware'>): string | null =>
  hardware && JSON.stringify(hardware)

/** Creates a snapshot's record, charges its storage and claims the job that copies its bytes. */
export async function insertSnapshot(
  tx: Change,
  silo_id: string,
  disk: Row<'disk'>,
  { name, description, id }: { name: string; description: string; id?: string },
): Promise<{ snapshot: Row<'snapshot'>; job: ClaimedJob }> {
  const { project_id, size, block_size } = disk
  const snapshot = await tx.insert('snapshot', {
    ...(id && { id }),
    name,
    description,
    project_id,
    disk_id: disk.id,
    size,
    block_size,
    state: 'creating',
    content_id: tx.cx.newId(),
    hardware: storedHardware(disk),
  })
  chargeLast(tx, { silo_id, project_id }, { storage: size })
  const args = { snapshot_id: snapshot.id, content_id: snapshot.content_id, size, from: disk.content_id }
  return { snapshot, job: await tx.takeJob(await tx.job(snapshotContent, args)) }
}

export const snapshotContent = defineJob(
  'snapshot-content',
  z.object({ snapshot_id: z.string(), content_id: z.string(), size: z.number(), from: z.string() }),
  async (cx, { snapshot_id, content_id, size, from }) => {
    // A job that an earlier version queued may precede the bytes of a disk that was made with its instance.
    if ((await cx.services.fleet.volumes.size(from)) === undefined)
      throw new Error('the disk has no bytes yet')
    await createSnapshotOf(cx.services, from, { content_id, size })
    await settle(cx.services, snapshot_id, { state: 'ready' })
  },
  {
    maxAttempts: 8,
    isLong: true,
    gaveUp(cx, { snapshot_id }, error) {
      const failure = JSON.stringify(failureOf(error, cx.now(), 'The snapshot could not be created.'))
      return settle(cx.services, snapshot_id, { state: 'faulted', failure })
    },
  },
)

async function settle(
  services: Services,
  snapshotId: string,
  outcome: { state: 'ready' } | { state: 'faulted'; failure: string },
): Promise<void> {
  const cx = systemCx(services, 'job:snapshot-content')
  const found = await cx.db
    .selectFrom('snapshot')
    .innerJoin('project', 'project.id', 'snapshot.project_id')
    .select(['snapshot.disk_id', 'project.silo_id', 'project.id as project_id'])
    .where('snapshot.id', '=', snapshotId)
    .where('snapshot.time_deleted', 'is', null)
    .executeTakeFirst()
  if (!found) return
  await change(cx, { silo_id: found.silo_id, project_id: found.project_id }, async (tx) => {
    const snapshot = await tx.lockById('snapshot', snapshotId)
    if (snapshot.state === 'creating') await tx.update('snapshot', snapshot, outcome, { touch: false })
    // A snapshot outlives its disk.
    const disk = await tx.lockById('disk', found.disk_id).catch(ignoreNotFound)
    if (disk?.state !== 'maintenance' && disk?.state !== 'finalizing') return
    // This one may have begun before the disk was detached, and another afterwards.
    if (await isBeingCopied(tx, disk)) return
    await tx.update('disk', disk, { state: 'detached' }, { touch: false })
  })
}

async function isBeingCopied(tx: Change, { id, project_id }: Row<'disk'>): Promise<boolean> {
  const creating = await tx.read
    .selectFrom('snapshot')
    .select('id')
    .where('project_id', '=', project_id)
    .where('state', '=', 'creating')
    .where('disk_id', '=', id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return creating !== undefined
}

/** A part of a whole is deleted with it. */
async function refuseMember({ read }: Change, { instance_snapshot_id }: Row<'snapshot'>): Promise<void> {
  if (instance_snapshot_id === null) return
  const whole = await read
    .selectFrom('instance_snapshot')
    .select('name')
    .where('id', '=', instance_snapshot_id)
    .executeTakeFirst()
  throw invalid(
    `the snapshot belongs to instance snapshot ${whole?.name ?? instance_snapshot_id}`,
    'Delete the instance snapshot, which deletes the snapshots of all its disks.',
  )
}

export async function deleteSnapshot(cx: Cx, at: Selectors): Promise<void> {
  const found = await need(cx, 'snapshot', at, 'modify')
  await change(cx, found.scope, async (tx) => {
    const snapshot = await tx.lock('snapshot', found.row)
    await refuseMember(tx, snapshot)
    if (!allows(snapshotAllows, 'delete', snapshot.state))
      throw invalid('snapshot cannot be deleted in state Creating', 'Wait until it is ready.')
    await tx.remove('snapshot', snapshot)
    await release(
      tx,
      { silo_id: found.scope.silo_id ?? '', project_id: snapshot.project_id },
      { storage: snapshot.size },
    )
    await recycle(tx, {
      kind: 'snapshot',
      row: snapshot,
      silo_id: found.scope.silo_id,
      project_id: snapshot.project_id,
      storage: snapshot.size,
      content_id: snapshot.content_id,
      removal: removalOf(snapshot),
    })
  })
}

import { allows } from '@gantry/api/base/state.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import type { InstanceSnapshotRestore } from '@gantry/api/storage/instance-snapshot'
import { nameWith, restoredInPlace } from '@gantry/api/storage/instance-snapshot.rules'
import { sql } from 'kysely'
import { type Change, change } from '@gantry/control-plane/change/change'
import { liveRows } from '@gantry/control-plane/change/children'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid, Refusal } from '@gantry/control-plane/context/refusal'
import type { RestoredDisk } from '@gantry/control-plane/db/tables/storage'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Authorised, need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { refuseWithoutRoom } from '../../storage/content-references.ts'
import { beginInstanceSnapshot, refuseUncopied } from '../take.ts'
import { refuseUnready } from '../use.ts'
import { restoreWait } from './job.ts'

/** The instance that a snapshot was taken of; refused once it is deleted. */
export async function needInstance(
  cx: Cx,
  { instance_id, instance_name }: Row<'instance_snapshot'>,
): Promise<Authorised<'instance'>> {
  try {
    return (await need(cx, 'instance', { instance: instance_id }, 'modify')).row
  } catch (error) {
    if (error instanceof Refusal && error.code === 'ObjectNotFound')
      throw invalid(`instance ${instance_name} no longer exists`, 'Create a new instance from the snapshot.')
    throw error
  }
}

export function refuseUnlessStopped({ name, run_state }: Row<'instance'>): void {
  if (!allows(restoredInPlace, 'restore', run_state))
    throw invalid(`instance ${name} is ${run_state}`, 'Stop the instance first.')
}

/** What becomes of the instance's disks. Those that it no longer has are created anew; others are left alone. */
export function fatesOf(
  { disks }: Row<'instance_snapshot'>,
  present: readonly Pick<Row<'disk'>, 'id' | 'name'>[],
): { name: string; fate: 'replaced' | 'created' | 'kept' }[] {
  const mine = new Map(present.map((disk) => [disk.id, disk]))
  const known = new Set(disks.map(({ disk_id }) => disk_id))
  return [
    ...disks.map(({ disk_id, name }) => {
      const now = mine.get(disk_id)
      return { name: now?.name ?? name, fate: now ? ('replaced' as const) : ('created' as const) }
    }),
    ...present.flatMap(({ id, name }) => (known.has(id) ? [] : [{ name, fate: 'kept' as const }])),
  ]
}

export const proposedName = (cx: Cx, { instance_name }: Row<'instance_snapshot'>): string =>
  nameWith(instance_name, `-before-restore-${cx.newId().slice(-6)}`)

/** Begins the task. Nothing of the instance changes before all bytes are there. */
export async function beginRestore(
  cx: Cx,
  { path, query, body }: Input<'instanceSnapshotRestore'>,
): Promise<InstanceSnapshotRestore> {
  const { row: found, scope } = await need(cx, 'instance_snapshot', { ...path, ...query }, 'read')
  const { row: project } = await need(cx, 'project', { project: found.project_id }, 'create_child')
  const authorised = await needInstance(cx, found)
  refuseUnready(found)
  refuseUnlessStopped(authorised)
  const { user_id, credential } = cx.user()
  const { id: requestId, uri, address, user_agent } = cx.request
  await refuseUncopied(cx, authorised.id)
  const sources = await cx.db
    .selectFrom('snapshot')
    .select('content_id')
    .where('instance_snapshot_id', '=', found.id)
    .where('time_deleted', 'is', null)
    .execute()
  for (const { content_id } of sources) await refuseWithoutRoom(cx.services, cx.services.blocks, content_id)
  const { restore, kept } = await change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    const instance = await tx.lock('instance', authorised)
    refuseUnlessStopped(instance)
    const snapshot = await tx.lock('instance_snapshot', found)
    const disks = await disksToRestore(tx, snapshot, instance)
    const present = body.keep_present
      ? await beginInstanceSnapshot(tx, project.silo_id, instance, {
          name: body.present_name ?? proposedName(cx, snapshot),
          description: `Before ${instance.name} was restored from ${snapshot.name}`,
        })
      : undefined
    const begun = await tx.plain
      .insertInto('instance_restore')
      .values({
        id: cx.newId(),
        instance_snapshot_id: snapshot.id,
        snapshot_name: snapshot.name,
        instance_id: instance.id,
        instance_name: instance.name,
        silo_id: project.silo_id,
        project_id: project.id,
        silo_user_id: user_id,
        request: JSON.stringify({ id: requestId, uri, address, user_agent, credential }),
        state: 'running',
        kept_id: present?.taken.id ?? null,
        stopped_since: instance.time_run_state_updated,
        disks: JSON.stringify(disks),
        time_created: cx.now(),
      })
      .onConflict((conflicting) =>
        conflicting.column('instance_id').where('state', '=', sql.lit('running')).doNothing(),
      )
      .returningAll()
      .executeTakeFirst()
    if (!begun) throw conflict('the instance is being restored already', 'Wait until that is done.')
    await tx.job(restoreWait, { restore_id: begun.id })
    tx.note('instance-restore', begun.id, undefined, { state: begun.state })
    return { restore: begun, kept: present }
  })
  if (kept) await cx.services.runJob(kept.job)
  const { id, instance_id } = restore
  return { id, instance_id, kept: kept ? { id: kept.taken.id, name: kept.taken.name } : null }
}

async function disksToRestore(
  tx: Change,
  snapshot: Row<'instance_snapshot'>,
  instance: Row<'instance'>,
): Promise<RestoredDisk[]> {
  const present = await liveRows(tx, 'disk', 'instance_id', instance.id)
  const members = await liveRows(tx, 'snapshot', 'instance_snapshot_id', snapshot.id)
  const fates = fatesOf(snapshot, present)
  if (fates.length > instanceLimits.disks)
    throw invalid(
      `the instance would have more than ${instanceLimits.disks} disks`,
      'Detach some of those that it had not at the time of the snapshot.',
    )
  return snapshot.disks.map((disk) => {
    const member = members.find(({ id }) => id === disk.snapshot_id)
    if (!member) throw invalid(`the snapshot of disk ${disk.name} is gone`, 'Choose another snapshot.')
    const now = present.find(({ id }) => id === disk.disk_id)
    return {
      now: now ? { id: now.id, generation: now.generation, content_id: now.content_id } : null,
      name: now?.name ?? disk.name,
      description: disk.description,
      // A disk that has grown keeps its size.
      size: Math.max(member.size, now?.size ?? 0),
      block_size: member.block_size,
      is_boot: disk.is_boot,
      read_only: disk.read_only ?? false,
      snapshot_id: member.id,
      from: member.content_id,
      content_id: tx.cx.newId(),
    }
  })
}

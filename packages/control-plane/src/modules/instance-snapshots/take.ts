import { isUuid, generateName } from '@gantry/api/base/name.rules'
import { allows } from '@gantry/api/base/state.rules'
import { diskAllows, localCannot } from '@gantry/api/storage/disk.rules'
import type { InstanceSnapshotCreate } from '@gantry/api/storage/instance-snapshot'
import { instanceSnapshotStart } from '@gantry/api/storage/instance-snapshot.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { type Change, change } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid, unavailable } from '../../context/refusal.ts'
import type { ClaimedJob } from '../../context/services.ts'
import type { Row } from '../../db/tables.ts'
import { lackRefusal, lacks } from '../../fleet/capabilities.ts'
import { disksInSlots } from '../../fleet/disk-slots.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { chargeLast } from '../silo/quota.ts'
import { refuseWithoutRoom } from '../storage/content-references.ts'
import { refuseUnmade } from '../storage/content.ts'
import { storedHardware } from '../storage/snapshots.ts'
import { instanceSnapshotContent } from './content.ts'
import { settingsOf } from './settings.ts'

/**
 * Snapshots all disks of an instance at one point in time. The records are created at once, and this request waits for
 * the job that copies the bytes, unless that takes long.
 */
export async function takeInstanceSnapshot(
  cx: Cx,
  at: Selectors,
  { instance: selector, ...named }: InstanceSnapshotCreate,
  /** Where it is known before the snapshot exists. */
  id = cx.newId(),
): Promise<Row<'instance_snapshot'>> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  const instanceAt = isUuid(selector) ? { instance: selector } : { instance: selector, project: project.id }
  const { row: instance } = await need(cx, 'instance', instanceAt, 'read')
  if (instance.project_id !== project.id)
    throw invalid("can't create a snapshot of an instance in a different project")
  await refuseUncopied(cx, instance.id)
  const { taken, job } = await change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    return beginInstanceSnapshot(tx, project.silo_id, await tx.lock('instance', instance), { ...named, id })
  })
  await cx.services.runJob(job)
  return (
    (await cx.db.selectFrom('instance_snapshot').selectAll().where('id', '=', taken.id).executeTakeFirst()) ??
    taken
  )
}

/** Refuses before anything is written where a disk cannot be copied yet, or there is no room for its copy. */
export async function refuseUncopied(cx: Cx, instanceId: string): Promise<void> {
  const disks = await cx.db
    .selectFrom('disk')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('time_deleted', 'is', null)
    .execute()
  for (const disk of disks) {
    await refuseUnmade(cx, disk)
    await refuseWithoutRoom(cx.services, cx.services.fleet.volumes, disk.content_id)
  }
}

/** The disks of an instance, which is locked, if all of them can be copied at one point in time. */
export async function disksToCopy(tx: Change, { id, run_state }: Row<'instance'>): Promise<Row<'disk'>[]> {
  if (!instanceSnapshotStart.includes(run_state))
    throw invalid(
      `instance cannot be snapshotted in state "${run_state}"`,
      'Wait until it runs or is stopped.',
    )
  if (hasMachine(run_state) && lacks(tx.cx.services.fleet, 'live_snapshot'))
    throw lackRefusal('live_snapshot')
  const disks = await liveRows(tx, 'disk', 'instance_id', id)
  if (disks.length === 0) throw invalid('the instance has no disks', 'Attach a disk first.')
  const local = disks.find(({ disk_type }) => disk_type === 'local')
  if (local)
    throw invalid(
      `local disk ${local.name} cannot be snapshotted`,
      `${localCannot.snapshot}. Detach it first.`,
    )
  const busy = disks.find(({ state }) => !allows(diskAllows, 'snapshot', state))
  if (busy)
    throw unavailable(`Disk ${busy.name} in state ${busy.state} cannot be copied. Wait until it is attached.`)
  return disks
}

/** Creates the records of all snapshots together, or none. The project is held, and the instance locked. */
export async function beginInstanceSnapshot(
  tx: Change,
  silo_id: string,
  instance: Row<'instance'>,
  { name, description, id = tx.cx.newId() }: { name: string; description: string; id?: string },
): Promise<{ taken: Row<'instance_snapshot'>; job: ClaimedJob }> {
  const { id: instance_id, project_id } = instance
  const disks = await disksToCopy(tx, instance)
  const randomHex = (digits: number): string => tx.cx.newId().replaceAll('-', '').slice(-digits)
  const placed = disksInSlots(
    disks.map((disk) => ({ ...disk, slot: disk.slot ?? 0 })),
    instance.boot_disk_id,
  )
  const members = placed.map((disk) => ({ disk, snapshot_id: tx.cx.newId(), content_id: tx.cx.newId() }))
  const size = disks.reduce((sum, disk) => sum + disk.size, 0)
  const taken = await tx.insert('instance_snapshot', {
    id,
    name,
    description,
    project_id,
    instance_id,
    instance_name: instance.name,
    state: 'creating',
    consistency: null,
    size,
    disks: JSON.stringify(
      members.map(({ disk, snapshot_id }) => ({
        disk_id: disk.id,
        snapshot_id,
        name: disk.name,
        description: disk.description,
        size: disk.size,
        slot: disk.slot,
        is_boot: disk.id === instance.boot_disk_id,
        read_only: disk.read_only,
      })),
    ),
    settings: JSON.stringify(await settingsOf(tx.read, instance)),
    user_data: instance.user_data,
  })
  for (const { disk, snapshot_id, content_id } of members)
    await tx.insert('snapshot', {
      id: snapshot_id,
      name: generateName(randomHex, name, disk.name),
      description: `Disk ${disk.name} in instance snapshot ${name}`,
      project_id,
      disk_id: disk.id,
      size: disk.size,
      block_size: disk.block_size,
      state: 'creating',
      content_id,
      hardware: storedHardware(disk),
      instance_snapshot_id: id,
    })
  chargeLast(tx, { silo_id, project_id }, { storage: size })
  const job = await tx.job(instanceSnapshotContent, {
    instance_snapshot_id: id,
    stopped_since: hasMachine(instance.run_state) ? null : instance.time_run_state_updated.toISOString(),
    copies: members.map(({ disk, content_id }) => ({ from: disk.content_id, content_id, size: disk.size })),
  })
  return { taken, job: await tx.takeJob(job) }
}

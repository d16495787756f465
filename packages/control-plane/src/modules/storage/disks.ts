import type { Disk, DiskCreate } from '@gantry/api/storage/disk'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { allows } from '@gantry/api/base/state.rules'
import { diskAllows } from '@gantry/api/storage/disk.rules'
import type { Row } from '../../db/tables.ts'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'
import { invalid } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import { chargeLast, release } from '../silo/quota.ts'
import { recycle } from '../recycle-bin/recycle.ts'
import { volumeRemoval } from './content-removal.ts'
import { makeContentLater } from './content.ts'
import { type Origin, resolveSource } from './disk-source.ts'

export function diskView(row: Row<'disk'>): Disk {
  const { state } = row
  const held = state === 'attached' || state === 'attaching' || state === 'detaching'
  return resourceView(row, {
    project_id: row.project_id,
    snapshot_id: row.snapshot_id,
    image_id: row.image_id,
    size: row.size,
    block_size: row.block_size as Disk['block_size'],
    state: (held ? { state, instance: row.instance_id } : { state }) as Disk['state'],
    device_path: `/mnt/${row.name}`,
    disk_type: row.disk_type,
    read_only: row.read_only,
    failure: row.failure,
    hardware: { ...usualHardware, ...row.hardware },
  })
}

/** Creates a disk's record, charges its storage and queues its bytes. */
export async function insertDisk(
  tx: Change,
  project: { id: string; silo_id: string },
  body: Pick<DiskCreate, 'name' | 'description' | 'size'> & { id?: string },
  origin: Origin,
  state: 'creating' | 'import_ready' | { attachedTo: string; slot: number },
): Promise<{ disk: Row<'disk'>; job: string }> {
  // Locked, so that the bytes are not removed before a job uses them.
  if (origin.snapshot_id) await tx.hold('snapshot', origin.snapshot_id)
  if (origin.image_id) await tx.hold('image', origin.image_id)
  const content_id = tx.cx.newId()
  const attached = typeof state === 'object'
  const disk = await tx.insert('disk', {
    id: body.id ?? tx.cx.newId(),
    name: body.name,
    description: body.description,
    size: body.size,
    project_id: project.id,
    block_size: origin.block_size,
    state: attached ? 'attached' : state,
    instance_id: attached ? state.attachedTo : null,
    slot: attached ? state.slot : null,
    snapshot_id: origin.snapshot_id,
    image_id: origin.image_id,
    content_id,
    hardware: origin.hardware && JSON.stringify(origin.hardware),
    read_only: origin.read_only,
    disk_type: origin.disk_type,
  })
  chargeLast(tx, { silo_id: project.silo_id, project_id: project.id }, { storage: body.size })
  const job = await makeContentLater(tx, {
    disk_id: disk.id,
    content_id,
    size: body.size,
    from: origin.content_id,
  })
  return { disk, job }
}

/**
 * Responds when the disk is usable or its bytes take long, but with its original state: the body says `creating`
 * (control plane reference, B 6.3).
 */
export async function createDisk(cx: Cx, at: Selectors, body: DiskCreate): Promise<Row<'disk'>> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  const origin = await resolveSource(cx, scope, body)
  const { disk, job } = await change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    const made = await insertDisk(tx, project, body, origin, origin.importing ? 'import_ready' : 'creating')
    return { disk: made.disk, job: await tx.takeJob(made.job) }
  })
  await cx.services.runJob(job)
  // The row has usually settled by now; the next `If-Match` must name its generation.
  const settled = await cx.db.selectFrom('disk').selectAll().where('id', '=', disk.id).executeTakeFirst()
  return { ...(settled ?? disk), state: 'creating', instance_id: null }
}

/** A machine that has the disk open keeps it under its old serial number until its next start. */
export async function updateDiskIdentity(
  cx: Cx,
  { path, query, body }: Input<'diskIdentityUpdate'>,
): Promise<Row<'disk'>> {
  const found = await need(cx, 'disk', { ...path, ...query }, 'modify')
  return change(cx, found.scope, async (tx) => {
    const disk = await tx.lock('disk', found.row)
    return tx.update('disk', disk, {
      name: body.name ?? disk.name,
      description: body.description ?? disk.description,
    })
  })
}

export async function deleteDisk(cx: Cx, at: Selectors): Promise<void> {
  const found = await need(cx, 'disk', at, 'modify')
  await change(cx, found.scope, async (tx) => {
    const disk = await tx.lockToDelete('disk', found.row)
    if (!allows(diskAllows, 'delete', disk.state))
      throw invalid(`disk cannot be deleted in state "${disk.state}"`, 'Detach the disk first.')
    await tx.remove('disk', disk)
    await release(
      tx,
      { silo_id: found.scope.silo_id ?? '', project_id: disk.project_id },
      { storage: disk.size },
    )
    await recycle(tx, {
      kind: 'disk',
      row: disk,
      silo_id: found.scope.silo_id,
      project_id: disk.project_id,
      storage: disk.size,
      content_id: disk.content_id,
      removal: volumeRemoval(disk),
    })
  })
}

import { allows } from '@gantry/api/base/state.rules'
import { hotPlugCannot, releaseSeconds } from '@gantry/api/compute/hot-plug.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { diskAllows } from '@gantry/api/storage/disk.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Job } from '@gantry/control-plane/change/define-job'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import { disksInSlots } from '@gantry/control-plane/fleet/disk-slots'
import { liveRows } from '@gantry/control-plane/change/children'
import type { Selectors } from '@gantry/control-plane/lookup/need'
import { attachDisk, attachToStopped, both, detachedAlready, detachFromStopped } from '../instances/disks.ts'
import { hardwareOfInstance } from '../machines/firmware.ts'
import { diskPlug, diskUnplug } from './jobs.ts'

type Disk = Row<'disk'>
type Instance = Row<'instance'>

/** Attaches a disk like the API's own operation, and also to a running instance. */
export const hotAttachDisk = (cx: Cx, at: Selectors, selector: string): Promise<Disk> =>
  exchange(cx, at, selector, async (tx, instance, disk) => {
    if (!hasMachine(instance.run_state)) return { disk: await attachToStopped(tx, instance, disk) }
    if (disk.instance_id === instance.id && disk.state !== 'detaching') return { disk }
    if (disk.state === 'detaching')
      throw conflict(`disk "${disk.name}" is being detached`, 'Try again once it is detached.')
    await needLive(tx, instance, 'attach')
    if (disk.disk_type === 'local')
      throw invalid(
        `local disk "${disk.name}" cannot be attached while the instance runs`,
        'Stop the instance, attach the disk, then start it: that finds a sled with room for the disk.',
      )
    const attaching = await attachDisk(tx, instance, disk, 'attaching')
    return { disk: attaching, job: await queued(tx, diskPlug, { disk_id: disk.id }) }
  })

/** Detaches a disk like the API's own operation, and also from a running instance once its guest has released it. */
export const hotDetachDisk = (cx: Cx, at: Selectors, selector: string): Promise<Disk> =>
  exchange(cx, at, selector, async (tx, instance, disk) => {
    if (!hasMachine(instance.run_state)) return { disk: await detachFromStopped(tx, instance, disk) }
    const already = detachedAlready(instance, disk)
    if (already ?? disk.state === 'detaching') return { disk: already ?? disk }
    if (await isBooted(tx, instance, disk))
      throw conflict(
        'the disk that an instance runs from cannot be detached',
        `${hotPlugCannot.boot}. Stop it first.`,
      )
    await needLive(tx, instance, 'detach')
    if (!allows(diskAllows, 'detach', disk.state))
      throw invalid(
        `cannot detach disk "${disk.name}": invalid state ${disk.state}`,
        'Wait until it is attached.',
      )
    await refuseWhileCopied(tx, disk)
    const detaching = await tx.update('disk', disk, { state: 'detaching', failure: null })
    const until = new Date(tx.cx.now().getTime() + releaseSeconds * 1000).toISOString()
    return { disk: detaching, job: await queued(tx, diskUnplug, { disk_id: disk.id, until }) }
  })

interface Exchanged {
  disk: Disk
  job?: Awaited<ReturnType<Change['takeJob']>>
}

/** Answers once the guest has reacted, or if that takes longer with the state until then. */
async function exchange(
  cx: Cx,
  at: Selectors,
  selector: string,
  work: (tx: Change, instance: Instance, disk: Disk) => Promise<Exchanged>,
): Promise<Disk> {
  const { scope, ...found } = await both(cx, at, selector)
  const { disk, job } = await change(cx, scope, async (tx) =>
    work(tx, await tx.lock('instance', found.instance), await tx.lock('disk', found.disk)),
  )
  if (!job) return disk
  await cx.services.runJob(job)
  const settled = await cx.db.selectFrom('disk').selectAll().where('id', '=', disk.id).executeTakeFirst()
  return settled ?? disk
}

const queued = async <Args>(tx: Change, job: Job<Args>, args: NoInfer<Args>) =>
  tx.takeJob(await tx.job(job, args))

/** Refuses what neither this fleet nor this guest can do while the instance runs. */
async function needLive(tx: Change, instance: Instance, what: 'attach' | 'detach'): Promise<void> {
  needCapability(tx.cx.services.fleet, 'live_disks')
  const stopFirst = `Stop the instance, then ${what} the disk.`
  if (!allows(instanceAllows, what === 'attach' ? 'hotAttachDisk' : 'hotDetachDisk', instance.run_state))
    throw invalid(
      `cannot ${what} disk while instance ${instance.name} is ${instance.run_state}`,
      'Wait until it runs or is stopped.',
    )
  const { disk_model } = await hardwareOfInstance(tx.read, instance)
  if (disk_model === 'sata') throw invalid(`${hotPlugCannot.sata}.`, stopFirst)
}

/** Without a selected boot disk, an instance runs from its first one. */
async function isBooted(tx: Change, instance: Instance, disk: Disk): Promise<boolean> {
  const disks = await liveRows(tx, 'disk', 'instance_id', instance.id)
  const placed = disksInSlots(
    disks.map((one) => ({ ...one, slot: one.slot ?? 0 })),
    instance.boot_disk_id,
  )
  return placed.some(({ id, is_boot }) => is_boot && id === disk.id)
}

/** A copy reads what the machine has open. */
async function refuseWhileCopied(tx: Change, disk: Disk): Promise<void> {
  const copy = await tx.read
    .selectFrom('snapshot')
    .select('name')
    .where('disk_id', '=', disk.id)
    .where('state', '=', 'creating')
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (copy)
    throw conflict(`snapshot ${copy.name} of disk "${disk.name}" is being taken`, 'Wait until it is ready.')
}

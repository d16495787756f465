import { hotPlugCannot, releaseSeconds } from '@gantry/api/compute/hot-plug.rules'
import type { FailureReason } from '@gantry/api/extensions'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { z } from 'zod'
import { change } from '@gantry/control-plane/change/change'
import { defineJob, repeatIn } from '@gantry/control-plane/change/define-job'
import { type Cx, systemCx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Patch, Row } from '@gantry/control-plane/db/tables'
import { CannotPlug, type MachineDisk } from '@gantry/control-plane/fleet/fleet'
import { failureOf } from '@gantry/control-plane/work/jobs'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { detached } from '../instances/disks.ts'
import { ensureDisks } from '../machines/vm-start.ts'

type Disk = Row<'disk'>

const againMs = 500
/** Bytes of a disk that are still being copied. */
const copiedMs = 2000

/** Gives the running machine of an instance a disk that is being attached. Its next start would do so as well. */
export const diskPlug = defineJob(
  'disk-plug',
  z.object({ disk_id: z.string() }),
  async (cx, { disk_id }) => {
    const found = await exchangedDisk(cx, disk_id, 'attaching')
    if (!found) return
    const { disk, vmm_id } = found
    if (vmm_id !== null) {
      if (await ensureDisks(cx.services, found.instance_id)) return repeatIn(copiedMs)
      const progress = await saying('attach', () =>
        cx.services.fleet.machines.plug?.(vmm_id, machineDisk(disk)),
      )
      if (progress === 'pending') return repeatIn(againMs)
    }
    await settle(cx, disk_id, 'attaching', { state: 'attached' })
  },
  {
    maxAttempts: 6,
    async gaveUp(cx, { disk_id }, error) {
      const found = await exchangedDisk(cx, disk_id, 'attaching')
      // What the machine may have got in part it loses with its end at the latest.
      if (found?.vmm_id) await cx.services.fleet.machines.unplug?.(found.vmm_id, disk_id).catch(() => {})
      const failure = failureOf(error, cx.now(), 'The machine did not take the disk.')
      await settle(cx, disk_id, 'attaching', { ...detached, failure: JSON.stringify(failure) })
    },
  },
)

/** Has the guest of a running instance release a disk, or attaches it again if that takes too long. */
export const diskUnplug = defineJob(
  'disk-unplug',
  z.object({ disk_id: z.string(), until: z.iso.datetime() }),
  async (cx, { disk_id, until }) => {
    const found = await exchangedDisk(cx, disk_id, 'detaching')
    if (!found) return
    const { disk, vmm_id } = found
    const { machines } = cx.services.fleet
    if (vmm_id !== null) {
      const progress = await saying('detach', () => machines.unplug?.(vmm_id, disk_id))
      if (progress === 'pending') {
        if (new Date(until) > cx.now()) return repeatIn(againMs)
        await machines.plug?.(vmm_id, machineDisk(disk))
        return settle(cx, disk_id, 'detaching', {
          state: 'attached',
          failure: JSON.stringify(keptByGuest(cx)),
        })
      }
    }
    await settle(cx, disk_id, 'detaching', detached)
  },
  {
    maxAttempts: 6,
    async gaveUp(cx, { disk_id }, error) {
      const failure = failureOf(error, cx.now(), 'The machine did not release the disk.')
      await settle(cx, disk_id, 'detaching', { state: 'attached', failure: JSON.stringify(failure) })
    },
  },
)

const keptByGuest = (cx: Cx): FailureReason => ({
  code: 'KeptByGuest',
  message: `The guest has not released the disk within ${releaseSeconds} seconds.`,
  next_step:
    'Unmount it in the guest and try again once the guest has booted, or stop the instance and detach it then. Guests without hot plug by ACPI never release one.',
  details: null,
  time: cx.now().toISOString(),
})

/** Why a machine cannot, as a refusal, which no repetition changes. */
async function saying<Result>(
  what: 'attach' | 'detach',
  work: () => Promise<Result> | undefined,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CannotPlug)) throw error
    const reason = error.why === 'fixed' ? hotPlugCannot.fixed : hotPlugCannot.earlier
    throw invalid(`${reason}.`, `Stop the instance, then ${what} the disk.`)
  }
}

/** The disk in this state, with the machine of its instance if that has one. */
async function exchangedDisk({ db }: Cx, id: string, state: Disk['state']) {
  const disk = await db
    .selectFrom('disk')
    .selectAll()
    .where('id', '=', id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (disk?.state !== state || disk.instance_id === null) return undefined
  const instance = await db
    .selectFrom('instance')
    .select(['id', 'run_state', 'vmm_id'])
    .where('id', '=', disk.instance_id)
    .executeTakeFirstOrThrow()
  const vmm_id = hasMachine(instance.run_state) ? instance.vmm_id : null
  return { disk, instance_id: instance.id, vmm_id }
}

/** Ends the exchange, unless something else has. */
async function settle(cx: Cx, id: string, from: Disk['state'], patch: Patch<'disk'>): Promise<void> {
  const found = await cx.db
    .selectFrom('disk')
    .innerJoin('project', 'project.id', 'disk.project_id')
    .select(['disk.instance_id', 'project.silo_id', 'project.id as project_id'])
    .where('disk.id', '=', id)
    .executeTakeFirst()
  if (!found) return
  const scope = { silo_id: found.silo_id, project_id: found.project_id }
  await change(
    systemCx(cx.services, `job:disk-${from === 'attaching' ? 'plug' : 'unplug'}`),
    scope,
    async (tx) => {
      // As where disks are attached: the instance is locked before its disk.
      if (found.instance_id) await tx.lockById('instance', found.instance_id).catch(ignoreNotFound)
      const disk = await tx.lockById('disk', id).catch(ignoreNotFound)
      if (disk?.state === from) await tx.update('disk', disk, patch, { touch: false })
    },
  )
}

const machineDisk = (disk: Disk): MachineDisk => ({
  id: disk.id,
  name: disk.name,
  content_id: disk.content_id,
  size: disk.size,
  block_size: disk.block_size,
  slot: disk.slot ?? 0,
  is_boot: false,
  read_only: disk.read_only,
})

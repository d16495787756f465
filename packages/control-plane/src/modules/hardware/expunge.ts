import type { FailureReason } from '@gantry/api/extensions'
import type { Sled } from '@gantry/api/system/hardware'
import { sledCondition, whyNotExpunge } from '@gantry/api/system/hardware.rules'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { repeatIn, defineJob } from '../../change/define-job.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { lockRacks, recordMembers } from './rack-membership.ts'
import { conflict, refuseIf } from '../../context/refusal.ts'
import { failMachines } from '../compute/machines/sweep.ts'
import { runningDrain } from '../compute/drain/store.ts'
import { endFaultsOf } from '../extensions/faults.ts'
import { loseLocalDisks } from './lost-disks.ts'
import { lossOf } from './outage.ts'
import { sledView } from './views.ts'

/**
 * Removes a sled for good. It leaves capacity and placement at once; a job fails what still runs there, and the sled is
 * decommissioned once nothing does.
 */
export async function expungeSled(cx: Cx, at: Selectors): Promise<Sled> {
  const { row } = await need(cx, 'sled', at, 'modify')
  return change(cx, fleetScope, async (tx) => {
    // Locked, so that nothing is placed on it between the check and the change.
    const sled = await tx.lock('sled', row)
    const time_lost = await lossOf(tx.read, sled.id)
    const reason = whyNotExpunge({
      condition: sledCondition({
        policy: { kind: sled.policy },
        state: sled.state,
        isLost: time_lost !== null,
        isDraining: (await runningDrain(tx.read, sled.id)) !== undefined,
      }),
      isFound: sled.engine !== null,
      instances: (await machinesOn(tx.read, sled.id)).length,
    })
    refuseIf(reason !== undefined && conflict('the sled cannot be removed for good', `${reason}.`))
    const patch = { policy: 'expunged', is_provisionable: false, time_lost } as const
    const expunged = await tx.update('sled', sled, patch)
    await tx.job(sledExpunge, { sled_id: sled.id })
    return sledView(expunged)
  })
}

/** Interval between passes over a sled on which another change holds an instance. */
const recheckMs = 1000

export const sledExpunge = defineJob(
  'sled-expunge',
  z.object({ sled_id: z.string() }),
  async (cx, { sled_id }) => {
    const left = await machinesOn(cx.db, sled_id)
    if (left.length > 0) {
      await failMachines(cx, left, removedReason(cx.now()))
      return repeatIn((await machinesOn(cx.db, sled_id)).length > 0 ? recheckMs : 0)
    }
    await loseLocalDisks(cx, sled_id)
    await decommission(cx, sled_id)
    return undefined
  },
  { maxAttempts: Infinity },
)

const passRows = 200

/** Machines on the sled that instances run by; others are of instances that have moved or are deleted. */
async function machinesOn(db: Reader, sledId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.vmm_id', 'vmm.id')
    .select('vmm.id')
    .where('vmm.sled_id', '=', sledId)
    .where('vmm.time_gone', 'is', null)
    .where('instance.time_deleted', 'is', null)
    .limit(passRows)
    .execute()
  return rows.map(({ id }) => id)
}

const removedReason = (now: Date): FailureReason => ({
  code: 'sled_removed',
  message: 'Its sled was removed for good.',
  next_step: 'Start the instance again; it will run on another sled.',
  details: null,
  time: now.toISOString(),
})

/** The sled with its disks leaves the lists, and its faults end. */
const decommission = (cx: Cx, sledId: string): Promise<void> =>
  change(cx, fleetScope, async (tx) => {
    await lockRacks(tx)
    const sled: Row<'sled'> = await tx.lockById('sled', sledId)
    if (sled.state === 'decommissioned') return
    await tx.update('sled', sled, { state: 'decommissioned', time_unreachable: null })
    const disks = await tx.read
      .selectFrom('physical_disk')
      .selectAll()
      .where('sled_id', '=', sledId)
      .where(sql<boolean>`time_deleted IS NULL AND state = 'active'`)
      .orderBy('id')
      .forUpdate()
      .execute()
    await tx.updateAll('physical_disk', disks, { policy: 'expunged', state: 'decommissioned' })
    await recordMembers(tx, sled.rack_id)
    await endFaultsOf(tx, { sled_id: sledId })
  })

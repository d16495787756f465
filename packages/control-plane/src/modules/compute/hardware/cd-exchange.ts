import { z } from 'zod'
import { change } from '@gantry/control-plane/change/change'
import { defineJob, repeatIn } from '@gantry/control-plane/change/define-job'
import { systemCx } from '@gantry/control-plane/context/cx'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { machineCds } from '../machines/machine-cds.ts'
import { ownerOf } from '../machines/vm-start.ts'

const againMs = 200

/** Gives a running machine the CDs that its instance has by now. */
export const cdExchange = defineJob(
  'cd-exchange',
  z.object({
    instance_id: z.uuid(),
    vmm_id: z.uuid(),
    /** What was in the drives. */
    before: z.array(z.uuid().nullable()),
  }),
  async (cx, { instance_id, vmm_id }) => {
    const { services } = cx
    const vmm = await cx.db
      .selectFrom('vmm')
      .innerJoin('instance', 'instance.id', 'vmm.instance_id')
      .select([
        'vmm.time_started',
        'instance.cds',
        'instance.id',
        'instance.boot_disk_id',
        'instance.hardware',
      ])
      .where('vmm.id', '=', vmm_id)
      .where('vmm.time_gone', 'is', null)
      .where('instance.id', '=', instance_id)
      .executeTakeFirst()
    if (!vmm) return
    // Its start may have read what was in the drives before.
    if (!vmm.time_started) return repeatIn(againMs)
    const progress = await services.fleet.machines.setCds(vmm_id, await machineCds(cx.db, vmm))
    if (progress === 'pending') return repeatIn(againMs)
  },
  {
    maxAttempts: 6,
    /** The machine has kept what it had, which is then what its instance has. */
    async gaveUp(cx, { instance_id, vmm_id, before }) {
      const owner = await ownerOf(cx.db, vmm_id)
      if (!owner) return
      await change(systemCx(cx.services, 'job:cd-exchange'), owner.scope, async (tx) => {
        const instance = await tx.lockById('instance', instance_id).catch(ignoreNotFound)
        if (instance?.vmm_id !== vmm_id) return
        const cds = before.every((one) => one === null) ? null : JSON.stringify(before)
        await tx.update('instance', instance, { cds }, { touch: false })
      })
    },
  },
)

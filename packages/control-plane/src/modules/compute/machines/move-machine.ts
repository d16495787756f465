import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { invalid, type Refusal } from '@gantry/control-plane/context/refusal'
import { moveTo } from './lifecycle.ts'
import { localNeedsOf } from './local-disks.ts'
import { preferencesOf, reserveSled, useSled } from './reserve.ts'
import { requestHost } from './wanted.ts'

const keptByLocalDisks = invalid(
  'cannot migrate an instance with local disks',
  'Stop the instance, or detach its local disks.',
)

/**
 * Begins to migrate a running instance off a sled that takes nothing new: capacity on the target is reserved,
 * the old reservation is released at once, and the fleet reports when the VM runs there. Returns the refusal
 * if no sled can take it. Requires a lock on the instance.
 */
export async function moveMachine(
  tx: Change,
  instance: Row<'instance'>,
  from: string,
): Promise<{ sledId: string } | { refusal: Refusal }> {
  const { vmm_id } = instance
  const vmm =
    vmm_id === null
      ? undefined
      : await tx.plain
          .selectFrom('vmm')
          .selectAll()
          .where('id', '=', vmm_id)
          .where('time_gone', 'is', null)
          .forUpdate()
          .executeTakeFirst()
  if (!vmm) throw new Error(`running instance ${instance.id} has no machine`)
  if (vmm.sled_id !== from) return { sledId: vmm.sled_id }
  if (await localNeedsOf(tx.read, instance.id)) return { refusal: keptByLocalDisks }
  const wanted = { ncpus: vmm.ncpus, memory: vmm.memory, cpu_platform: instance.cpu_platform }
  const reserved = await reserveSled(tx, wanted, await preferencesOf(tx, instance.id))
  if ('refusal' in reserved) return reserved
  const { sledId } = reserved
  await useSled(tx, from, vmm, -1)
  await requestHost(tx, vmm.id, sledId)
  await moveTo(tx, instance, 'migrating')
  return reserved
}

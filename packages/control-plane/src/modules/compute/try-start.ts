import type { Patch, Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { charge } from '../silo/quota.ts'
import { moveTo } from './lifecycle.ts'
import { preferencesOf, reserveSled, useSled } from './reserve.ts'
import { vmStart } from './vm-start.ts'

type Instance = Row<'instance'>

/**
 * Reserves a sled, charges CPUs and memory, and starts the VM: placement first, quota second (control plane
 * reference, B 17.2). Returns a refusal instead of throwing it, because a creation succeeds without its
 * start. `sledId` is an earlier reservation.
 */
export async function tryStart(
  tx: Change,
  instance: Instance,
  siloId: string,
  sledId?: string,
  more: Patch<'instance'> = {},
): Promise<{ instance: Instance } | { refusal: Refusal }> {
  const size = { ncpus: instance.ncpus, memory: instance.memory }
  const reserved = sledId ? { sledId } : await reserveSled(tx, size, await preferencesOf(tx, instance.id))
  if ('refusal' in reserved) return reserved
  const refusal = await charge(
    tx,
    { silo_id: siloId, project_id: instance.project_id },
    { cpus: size.ncpus, memory: size.memory },
  )
  if (refusal) {
    await useSled(tx, reserved.sledId, size, -1)
    return { refusal }
  }
  const vmm_id = tx.cx.newId()
  await tx.plain
    .insertInto('vmm')
    .values({
      id: vmm_id,
      instance_id: instance.id,
      sled_id: reserved.sledId,
      ...size,
      time_created: tx.cx.now(),
    })
    .execute()
  await tx.job(vmStart, { vmm_id })
  return { instance: await moveTo(tx, instance, 'starting', { ...more, vmm_id, failure: null }) }
}

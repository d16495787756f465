import type { Row } from '../db/tables.ts'
import type { Change } from '../change/change.ts'
import { insertSleds, type NewSled, sledPart } from '../modules/hardware/parts.ts'
import { recordMembers } from '../modules/hardware/rack-membership.ts'

/** How long one sled has been unreachable. */
export const lostForMs = 50 * 60_000

/** Sled `number`, in the slot of the same number. */
export const newSled = (number: number, rack_id: string): NewSled => ({
  usable_hardware_threads: 128,
  usable_physical_ram: 2 ** 40,
  part: sledPart,
  revision: 1,
  serial: `GS-${String(number).padStart(3, '0')}`,
  cubby: number - 1,
  rack_id,
})

/**
 * Besides the playground's eight sleds: one that takes no new instances, one unreachable, one permanently out
 * of service, and two waiting to be added. Returns the eight in slot order, and the lost one.
 */
export async function seedWorldSleds(tx: Change): Promise<{ sleds: Row<'sled'>[]; lost: string }> {
  tx.at({ silo_id: null, project_id: null })
  const inService = await tx.read.selectFrom('sled').selectAll().orderBy('cubby').execute()
  const rack_id = inService[0]?.rack_id
  if (!rack_id) throw new Error('the rack has no sleds')
  const [, lost = ''] = await insertSleds(tx, [
    { ...newSled(9, rack_id), is_provisionable: false },
    newSled(10, rack_id),
    { ...newSled(11, rack_id), policy: 'expunged', state: 'decommissioned', is_provisionable: false },
  ])
  await tx.plain
    .insertInto('uninitialized_sled')
    .values([newSled(12, rack_id), newSled(13, rack_id)])
    .execute()
  await recordMembers(tx, rack_id)
  await seedUnadoptedDisks(tx, inService)
  const fault = { id: tx.cx.newId(), kind: 'sled_lost', instance_id: null, sled_id: lost } as const
  const now = tx.cx.now().getTime()
  await tx.plain
    .insertInto('fault')
    .values([
      { ...fault, time_created: new Date(now - lostForMs), time_ended: null },
      {
        ...fault,
        id: tx.cx.newId(),
        time_created: new Date(now - 80 * 3_600_000),
        time_ended: new Date(now - 79 * 3_600_000),
      },
    ])
    .execute()
  return { sleds: inService, lost }
}

/** Disks that were put in later and wait to be adopted. */
async function seedUnadoptedDisks(tx: Change, sleds: readonly Pick<Row<'sled'>, 'id'>[]): Promise<void> {
  const rows = sleds.slice(1, 4).map(({ id }, index) => ({
    vendor: 'Norrland',
    serial: `NU-77${index}04`,
    model: 'NU-3200',
    sled_id: id,
    slot: 10 + index,
    form_factor: 'u2' as const,
  }))
  await tx.plain.insertInto('unadopted_disk').values(rows).execute()
}

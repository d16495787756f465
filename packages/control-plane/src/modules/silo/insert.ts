import type { Row } from '../../db/tables.ts'
import type { Change, Fresh } from '../../change/change.ts'

interface NewSilo extends Omit<Fresh<'silo'>, 'mapped_fleet_roles'> {
  mapped_fleet_roles: Row<'silo'>['mapped_fleet_roles']
  quotas: { cpus: number; memory: number; storage: number }
}

/** Creates a silo with its quotas and usage counters. */
export async function insertSilo(
  tx: Change,
  { mapped_fleet_roles, quotas, ...silo }: NewSilo,
): Promise<Row<'silo'>> {
  const id = tx.cx.newId()
  // Users of the silo see the change, and those who may read the fleet.
  tx.at({ silo_id: id, project_id: null })
  const row = await tx.insert('silo', {
    ...silo,
    id,
    mapped_fleet_roles: JSON.stringify(mapped_fleet_roles),
  })
  await tx.plain
    .insertInto('silo_quotas')
    .values({ silo_id: id, ...quotas })
    .execute()
  await tx.plain.insertInto('provisioning').values({ id, kind: 'silo' }).execute()
  return row
}

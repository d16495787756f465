import { needFleet } from '../../lookup/need.ts'
import type { Fault } from '@gantry/api/extensions'
import { type FaultKind, isSledFault } from '@gantry/api/extensions.rules'
import { canonicalUuid } from '@gantry/api/base/name.rules'
import type { Row } from '../../db/tables.ts'
import { lackRefusal } from '../../fleet/capabilities.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { conflict, invalid, notFound } from '../../context/refusal.ts'

const faultView = ({ id, kind, instance_id, sled_id, time_created }: Row<'fault'>): Fault => ({
  id,
  kind,
  instance_id,
  sled_id,
  time_created: time_created.toISOString(),
})

export async function listFaults(cx: Cx): Promise<{ items: Fault[] }> {
  needFleet(cx, 'list_children')
  const open = cx.db.selectFrom('fault').selectAll().where('time_ended', 'is', null)
  const rows = await open.orderBy('time_created').orderBy('id').execute()
  return { items: rows.map(faultView) }
}

interface Inject {
  kind: FaultKind
  instance_id?: string | null | undefined
  sled_id?: string | null | undefined
}

/** Operators only. A crash happens once; other faults last until they are removed. */
export async function injectFault(cx: Cx, { kind, instance_id, sled_id }: Inject): Promise<Fault> {
  needFleet(cx, 'modify')
  const { faults } = cx.services.fleet
  if (!faults) throw lackRefusal('faults')
  const wantsSled = isSledFault(kind)
  if (wantsSled ? !sled_id || instance_id : !instance_id || sled_id)
    throw invalid(`${kind} takes ${wantsSled ? 'a sled_id' : 'an instance_id'} and nothing else`)
  return change(cx, fleetScope, async (tx) => {
    const table = wantsSled ? 'sled' : 'instance'
    const id = canonicalUuid((wantsSled ? sled_id : instance_id) ?? '')
    const row = await tx.lockById(table, id)
    if ('policy' in row && row.policy === 'expunged')
      throw conflict('the sled has been removed for good', 'Nothing of it can fail any more.')
    const target = wantsSled ? { instance_id: null, sled_id: id } : { instance_id: id, sled_id: null }
    const isOver = kind === 'vm_crash'
    const now = cx.now()
    const fault = { id: cx.newId(), kind, ...target, time_created: now, time_ended: isOver ? now : null }
    await faults.inject(tx, fault)
    await tx.plain.insertInto('fault').values(fault).execute()
    tx.note('fault', fault.id, undefined, fault)
    return faultView(fault)
  })
}

/** Ends the faults of a deleted object; afterwards their subject would be unknown. */
export async function endFaultsOf(
  tx: Change,
  of: { instance_id: string } | { sled_id: string },
): Promise<void> {
  const [column, id] =
    'instance_id' in of ? (['instance_id', of.instance_id] as const) : (['sled_id', of.sled_id] as const)
  const ended = await tx.plain
    .updateTable('fault')
    .set({ time_ended: tx.cx.now() })
    .where(column, '=', id)
    .where('time_ended', 'is', null)
    .returning('id')
    .execute()
  for (const fault of ended) tx.note('fault', fault.id, { id: fault.id }, undefined, fleetScope)
}

export async function removeFault(cx: Cx, faultId: string): Promise<void> {
  needFleet(cx, 'modify')
  const id = canonicalUuid(faultId)
  await change(cx, fleetScope, async (tx) => {
    const gone = await tx.plain
      .updateTable('fault')
      .set({ time_ended: cx.now() })
      .where('id', '=', id)
      .where('time_ended', 'is', null)
      .executeTakeFirst()
    if (gone.numUpdatedRows === 0n) throw notFound('fault', { id })
    tx.note('fault', id, { id }, undefined)
  })
}

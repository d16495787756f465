import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'
import { need } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'

/** The snapshots of its disks keep their names, by which users may have found them. */
export async function updateInstanceSnapshotIdentity(
  cx: Cx,
  { path, query, body }: Input<'instanceSnapshotIdentityUpdate'>,
): Promise<Row<'instance_snapshot'>> {
  const found = await need(cx, 'instance_snapshot', { ...path, ...query }, 'modify')
  return change(cx, found.scope, async (tx) => {
    const row = await tx.lock('instance_snapshot', found.row)
    return tx.update('instance_snapshot', row, {
      name: body.name ?? row.name,
      description: body.description ?? row.description,
    })
  })
}

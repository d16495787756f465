import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { need } from '@gantry/control-plane/lookup/need'
import { followInstanceName } from '../../network/records/named-instances.ts'

/**
 * Its host name, its machine and its addresses stay as they are. Firewall rules and routes refer to instances by name, so
 * those that name it get the new one in the same change.
 */
export async function updateInstanceIdentity(
  cx: Cx,
  { path, query, body }: Input<'instanceIdentityUpdate'>,
): Promise<Row<'instance'>> {
  const found = await need(cx, 'instance', { ...path, ...query }, 'modify')
  return change(cx, found.scope, async (tx) => {
    const instance = await tx.lock('instance', found.row)
    const name = body.name ?? instance.name
    const description = body.description ?? instance.description
    const updated = await tx.update('instance', instance, { name, description })
    if (name !== instance.name)
      await followInstanceName(tx, instance.project_id, { from: instance.name, to: name })
    return updated
  })
}

import type { Operation } from '@gantry/api/op'
import { operationId, ops } from '@gantry/api/registry'
import type { Db } from '../kernel/cx.ts'

const declared = new Map(
  Object.entries<Operation>(ops).map(([name, { changes }]) => [operationId(name), new Set<string>(changes)]),
)

/** An action on many instances notes its progress beside each single call. */
const progress = 'instance-action'

/**
 * Kinds of which an operation left a change record without naming them in its `changes`: consoles would go on showing
 * what they read of them before.
 */
export async function undeclaredChanges(db: Pick<Db, 'selectFrom'>): Promise<string[]> {
  const rows = await db.selectFrom('change').select(['operation', 'kind']).distinct().execute()
  return rows
    .filter(({ operation, kind }) => kind !== progress && declared.get(operation)?.has(kind) === false)
    .map(({ operation, kind }) => `${operation} changes ${kind}`)
    .sort()
}

import type { Operation } from '@gantry/api/op'
import { operationId, ops } from '@gantry/api/registry'
import { type Kind, kinds } from '@gantry/api/kind.gen'
import { actionsOf, untoldKinds } from '@gantry/api/history/activity-kinds.rules'
import type { Db } from '../db/database.ts'

const declared = new Map(
  Object.entries<Operation>(ops).map(([name, { changes }]) => [operationId(name), new Set<string>(changes)]),
)

/**
 * An action on many instances and a run of a schedule also record their progress with each call, and the recycle bin takes up what is deleted and
 * gives way to what is created: streams tell of both.
 */
const besides: ReadonlySet<string> = new Set(['instance-action', 'recycled-item', 'schedule-run'])

/**
 * Kinds of an operation's change records that its `changes` do not name: consoles would keep showing stale
 * data of them.
 */
export async function undeclaredChanges(db: Pick<Db, 'selectFrom'>): Promise<string[]> {
  const rows = await db
    .selectFrom('change')
    .select(['operation', 'kind'])
    .where((eb) => eb.or([eb('op', '<>', 'delete'), eb('before', 'is not', null)]))
    .distinct()
    .execute()
  return rows
    .filter(({ operation, kind }) => !besides.has(kind) && declared.get(operation)?.has(kind) === false)
    .map(({ operation, kind }) => `${operation} changes ${kind}`)
    .sort()
}

/** What entries of activity tell that `actionsOf` does not name: there is no class of alerts for it. */
export async function unlistedActivity(db: Pick<Db, 'selectFrom'>): Promise<string[]> {
  const rows = await db
    .selectFrom('change')
    .select(['kind', 'action'])
    .where('action', 'is not', null)
    .distinct()
    .execute()
  const isListed = ({ kind, action }: (typeof rows)[number]) =>
    action !== null &&
    !untoldKinds.has(kind) &&
    actionsOf(kind as Kind).includes(action) &&
    (kinds as readonly string[]).includes(kind)
  return rows
    .filter((row) => !isListed(row))
    .map(({ kind, action }) => `${kind} ${action}`)
    .sort()
}

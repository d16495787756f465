import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { CounterTable, Row } from '../db/tables.ts'
import type { Reader } from '../db/database.ts'
import { onceEach } from '../context/once-each.ts'
import type { Services } from '../context/services.ts'

export type Held = Pick<Row<'role_assignment'>, 'resource_type' | 'resource_id' | 'role_name'>

/** A user as read with a credential, with the roles epoch of that snapshot. */
interface CredentialRead {
  silo_user_id: string
  roles_epoch: number
}
interface CachedRoles {
  epoch: number
  held: readonly Held[]
  /** When the roles were read. */
  time: number
}

/** Every change of roles or memberships raises the epoch in its own transaction (`Change.roles`). */
export const rolesEpoch = `coalesce((SELECT value FROM counter WHERE name = 'roles'), 0)`

export const raiseRolesEpoch = async (
  db: Kysely<{ counter: CounterTable }> | Transaction<{ counter: CounterTable }>,
): Promise<void> => {
  await sql`INSERT INTO counter (name, value) VALUES ('roles', 1)
    ON CONFLICT (name) DO UPDATE SET value = counter.value + 1`.execute(db)
}

/**
 * Every role of a user, direct or through groups. Policies keep any identity; one with the type of a group and the id of
 * a user matches neither. Comparing the types afterwards keeps the look-up to one scan of the index by id.
 */
export const heldRoles = (userId: string) => `coalesce((
      SELECT jsonb_agg(jsonb_build_object('resource_type', r.resource_type, 'resource_id', r.resource_id,
        'role_name', r.role_name))
      FROM role_assignment r WHERE r.identity_id = ANY (${userId} ||
        ARRAY(SELECT m.silo_group_id FROM silo_group_membership m WHERE m.silo_user_id = ${userId}))
        AND (r.identity_type = 'silo_user') = (r.identity_id = ${userId})
    ), '[]'::jsonb) AS held`

/** The epoch and the roles come from the same snapshot. */
const heldText = `SELECT ${rolesEpoch} AS epoch, ${heldRoles('$1::uuid')}`

/** Cached roles expire soon regardless: an older program on the same database raises no epoch. */
const keptMs = 5000

/** Whether roles read at a time may still be used; not if the clock went back. */
export const isFresh = (readAt: number, now: number): boolean => now >= readAt && now - readAt < keptMs
const maxCached = 10_000

/**
 * Caches the roles of recent callers. Entries are never stale: they are valid only at the epoch they were
 * read at, and each request reads the current epoch with its credential. A role revoked in one process is
 * gone in all others as soon as that commits.
 */
export class HeldRoles {
  readonly #kept = new Map<string, CachedRoles>()

  async of(db: Reader, { silo_user_id, roles_epoch }: CredentialRead, now: Date): Promise<CachedRoles> {
    const time = now.getTime()
    const kept = this.#kept.get(silo_user_id)
    if (kept && kept.epoch === roles_epoch && isFresh(kept.time, time)) return kept
    const { rows } = await db.executeQuery<{ epoch: number; held: Held[] }>(
      CompiledQuery.raw(heldText, [silo_user_id]),
    )
    const [row] = rows
    if (!row) throw new Error('a query without a table answered nothing')
    if (this.#kept.size >= maxCached) this.#kept.clear()
    const read = { ...row, time }
    this.#kept.set(silo_user_id, read)
    return read
  }
}

/** Those of a process. */
export const cachedRoles = onceEach((_services: Services) => new HeldRoles())

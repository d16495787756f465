import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { CounterTable, Row } from '../db/tables.ts'
import type { Reader } from '../kernel/cx.ts'

export type Held = Pick<Row<'role_assignment'>, 'resource_type' | 'resource_id' | 'role_name'>

/** A person as a credential's statement read it, with the epoch of that moment. */
interface Asked {
  silo_user_id: string
  roles_epoch: number
}
interface Kept {
  epoch: number
  held: readonly Held[]
  /** When it was read. */
  time: number
}

/** Every change of roles and memberships raises the epoch in its own transaction (`Change.roles`). */
export const rolesEpoch = `coalesce((SELECT value FROM counter WHERE name = 'roles'), 0)`

export const raiseRolesEpoch = async (
  db: Kysely<{ counter: CounterTable }> | Transaction<{ counter: CounterTable }>,
): Promise<void> => {
  await sql`INSERT INTO counter (name, value) VALUES ('roles', 1)
    ON CONFLICT (name) DO UPDATE SET value = counter.value + 1`.execute(db)
}

/** Every role of a person, direct or through groups. */
export const heldRoles = (userId: string) => `coalesce((
      SELECT jsonb_agg(jsonb_build_object('resource_type', r.resource_type, 'resource_id', r.resource_id,
        'role_name', r.role_name))
      FROM role_assignment r WHERE r.identity_id = ANY (${userId} ||
        ARRAY(SELECT m.silo_group_id FROM silo_group_membership m WHERE m.silo_user_id = ${userId}))
    ), '[]'::jsonb) AS held`

/** The epoch is of the same snapshot as the roles. */
const heldText = `SELECT ${rolesEpoch} AS epoch, ${heldRoles('$1::uuid')}`

/** What is believed without a look ends soon all the same: an older program beside this one raises no epoch. */
const keptMs = 5000
const mostKept = 10_000

/**
 * Roles of those who called lately. They are never stale: they count only while the epoch, which each request reads
 * together with its credential, is the one that they were read at. So a role that is taken away in one process is gone
 * in every other as soon as that is committed.
 */
export class HeldRoles {
  readonly #kept = new Map<string, Kept>()

  async of(db: Reader, { silo_user_id, roles_epoch }: Asked, now: Date): Promise<readonly Held[]> {
    const time = now.getTime()
    const kept = this.#kept.get(silo_user_id)
    if (kept && kept.epoch === roles_epoch && time >= kept.time && time - kept.time < keptMs) return kept.held
    const { rows } = await db.executeQuery<{ epoch: number; held: Held[] }>(
      CompiledQuery.raw(heldText, [silo_user_id]),
    )
    const [row] = rows
    if (!row) throw new Error('a query without a table answered nothing')
    if (this.#kept.size >= mostKept) this.#kept.clear()
    this.#kept.set(silo_user_id, { ...row, time })
    return row.held
  }
}

import { ops } from '@gantry/api/registry'
import { externalIdMaxLength, type PasswordState } from '@gantry/api/people/silo.rules'
import type { SiloPerson } from '@gantry/api/people/silo-people'
import { isLonger } from '@gantry/api/base/text.rules'
import { sql } from 'kysely'
import { stillValid } from '../../authz/access-token.ts'
import { holdsFleetRole } from '../../authz/fleet-stake.ts'
import { stillOpen } from '../../authz/session.ts'
import { containing } from '../../db/like.ts'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { keysetPage, textKey } from '../../list/keyset-page.ts'
import { allow, know, need, type Selectors } from '../../lookup/need.ts'
import { personView } from './people.ts'
import { endCredentials } from '../sign-in/sessions/end-credentials.ts'

interface PeopleQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: (typeof ops.siloPersonList.sorts & object)[number] | null | undefined
  name?: string | null | undefined
}

/**
 * For callers who may create and delete the silo's users: one query for the page, one for its sessions and
 * tokens. Without service accounts, which do not sign in.
 */
export async function listSiloPeople(
  cx: Cx,
  at: Selectors,
  query: PeopleQuery,
): Promise<{ items: SiloPerson[]; next_page: string | null }> {
  const silo = await know(cx, 'silo', at)
  allow(cx, silo, 'create_child', { as: 'siloUser' })
  const { items, next_page } = await keysetPage(
    cx,
    ops.siloPersonList,
    'silo_user',
    query,
    {
      keys: { name: textKey('external_id', (text) => !isLonger(text, externalIdMaxLength)) },
      where: async ({ name }) => [
        sql`t.silo_id = ${silo.row.id} AND NOT t.is_service_account`,
        ...(name ? [sql`lower(t.external_id) LIKE ${containing(name)}`] : []),
      ],
    },
    (row) => row,
  )
  const states = await signInStates(
    cx,
    items.map(({ id }) => id),
  )
  return {
    items: items.flatMap((row) => {
      const state = states.get(row.id)
      return state
        ? {
            ...personView(row),
            time_created: row.time_created.toISOString(),
            is_active: row.is_active,
            ...state,
          }
        : []
    }),
    next_page,
  }
}

type SignInState = Omit<SiloPerson, 'id' | 'display_name' | 'silo_id' | 'time_created' | 'is_active'>
type StateRow = Omit<SignInState, 'time_last_used'> & { id: string; time_last_used: Date | null }

async function signInStates(cx: Cx, ids: readonly string[]): Promise<Map<string, SignInState>> {
  const now = cx.now()
  const none: PasswordState = 'none'
  const { rows } = await sql<StateRow>`
    SELECT u.id, s.time_last_used, s.session_count, k.access_token_count,
      CASE WHEN p.is_one_time IS NULL THEN ${none} WHEN p.is_one_time THEN 'one_time' ELSE 'set' END AS password,
      EXISTS (SELECT 1 FROM passkey y WHERE y.silo_user_id = u.id)
        OR EXISTS (SELECT 1 FROM totp o WHERE o.silo_user_id = u.id) AS has_second_factor
    FROM unnest(${ids}::uuid[]) AS u(id)
    LEFT JOIN silo_user_password p ON p.silo_user_id = u.id
    CROSS JOIN LATERAL (SELECT count(*)::int AS session_count, max(t.time_last_used) AS time_last_used
      FROM console_session t WHERE t.silo_user_id = u.id AND ${stillOpen(now)}) s
    CROSS JOIN LATERAL (SELECT count(*)::int AS access_token_count
      FROM device_access_token t WHERE t.silo_user_id = u.id AND ${stillValid(now)}) k`.execute(cx.db)
  return new Map(
    rows.map(({ id, time_last_used, ...state }) => [
      id,
      { ...state, time_last_used: time_last_used?.toISOString() ?? null },
    ]),
  )
}

/** Ends every session and token of a user in any silo, for callers who may also delete that user. */
export async function endUserSessions(
  cx: Cx,
  siloSelector: string | null | undefined,
  user_id: string,
): Promise<void> {
  const { row: silo } = await need(cx, 'silo', { silo: siloSelector ?? cx.user().silo_id }, 'read')
  const person = await know(cx, 'silo_user', { user_id }, { silo_id: silo.id })
  const { id } = person.row
  allow(cx, person, 'modify', { fleet_stake: await holdsFleetRole(cx.db, silo, id) })
  await change(cx, person.scope, async (tx) => {
    await tx.lockById('silo_user', id)
    await endCredentials(tx, id)
  })
}

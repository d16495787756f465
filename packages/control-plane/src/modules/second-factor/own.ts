import type { OwnSecondFactors, Passkey } from '@gantry/api/second-factor'
import { factorKinds } from '@gantry/api/second-factor.rules'
import { canonicalUuid } from '@gantry/api/name.rules'
import type { Row } from '../../db/tables.ts'
import { change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { notFound } from '../../kernel/refusal.ts'
import { isConfirmed, needSession } from './confirmed.ts'
import { factorsOf, secondFactorRule } from './factors.ts'
import { holderOf, noteFactors, scopeOf } from './holder.ts'

/** The caller's factors, and which kinds are available. */
export async function viewOwnFactors(cx: Cx): Promise<OwnSecondFactors> {
  const { user_id, silo_id, credential } = cx.user()
  const passkeys = await cx.db
    .selectFrom('passkey')
    .selectAll()
    .where('silo_user_id', '=', user_id)
    .orderBy('time_created')
    .orderBy('id')
    .execute()
  const totp = await cx.db
    .selectFrom('totp')
    .select(['time_created', 'time_last_used'])
    .where('silo_user_id', '=', user_id)
    .executeTakeFirst()
  return {
    kinds: await kindsIn(cx, silo_id),
    passkeys: passkeys.map(passkeyView),
    totp: totp
      ? {
          time_created: totp.time_created.toISOString(),
          time_last_used: totp.time_last_used?.toISOString() ?? null,
        }
      : null,
    recovery_codes_left: (await factorsOf(cx.db, user_id)).recovery_codes,
    is_required: (await secondFactorRule(cx.db, silo_id)) === 'required',
    needs_confirmation: credential?.method !== 'session_cookie' || !(await isConfirmed(cx)),
  }
}

/** Empty with an identity provider, which asks for a second factor itself. */
async function kindsIn(cx: Cx, silo_id: string): Promise<OwnSecondFactors['kinds']> {
  const silo = await cx.db
    .selectFrom('silo')
    .select('identity_mode')
    .where('id', '=', silo_id)
    .executeTakeFirst()
  if (silo?.identity_mode !== 'local_only') return []
  return factorKinds.filter((kind) => kind !== 'passkey' || cx.services.webauthn)
}

const passkeyView = (row: Row<'passkey'>): Passkey => ({
  id: row.id,
  name: row.name,
  rp_id: row.rp_id,
  time_created: row.time_created.toISOString(),
  time_last_used: row.time_last_used?.toISOString() ?? null,
})

/** A name grants no access, so no confirmation is needed. */
export async function renamePasskey(cx: Cx, given: string, name: string): Promise<Passkey> {
  const holder = holderOf(cx)
  needSession(cx)
  const id = canonicalUuid(given)
  return change(cx, scopeOf(holder), async (tx) => {
    const row = await tx.plain
      .updateTable('passkey')
      .set({ name: name.trim() })
      .where('id', '=', id)
      .where('silo_user_id', '=', holder.id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('passkey', { id })
    noteFactors(tx, holder)
    return passkeyView(row)
  })
}

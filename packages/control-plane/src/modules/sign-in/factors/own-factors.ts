import type { OwnSecondFactors, Passkey } from '@gantry/api/people/second-factor'
import { factorKinds } from '@gantry/api/people/second-factor.rules'
import { canonicalUuid } from '@gantry/api/base/name.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { notFound } from '@gantry/control-plane/context/refusal'
import { needSession } from '../sessions/need-session.ts'
import { isRecent } from './recent-confirmation.ts'
import { holderOf, noteFactors, scopeOf } from './factor-holder.ts'

/** The caller's factors, and which kinds are available. */
export async function viewOwnFactors(cx: Cx): Promise<OwnSecondFactors> {
  const { user_id, silo_id, credential } = cx.user()
  const session = credential?.method === 'session_cookie' ? credential.id : null
  const passkeys = await cx.db
    .selectFrom('passkey')
    .selectAll()
    .where('silo_user_id', '=', user_id)
    .orderBy('time_created')
    .orderBy('id')
    .execute()
  const silo = await cx.db
    .selectFrom('silo')
    .leftJoin('silo_auth_settings as settings', 'settings.silo_id', 'silo.id')
    .leftJoin('totp', (join) => join.on('totp.silo_user_id', '=', user_id))
    .leftJoin('console_session as session', (join) => join.on('session.id', '=', session))
    .select(['silo.identity_mode', 'settings.second_factor', 'totp.time_created', 'totp.time_last_used'])
    .select(['session.time_created as session_created', 'session.time_confirmed'])
    .select((eb) =>
      eb
        .selectFrom('recovery_code')
        .select((count) => count.fn.countAll<number>().as('count'))
        .where('silo_user_id', '=', user_id)
        .as('recovery_codes'),
    )
    .where('silo.id', '=', silo_id)
    .executeTakeFirstOrThrow()
  const { session_created: time_created, time_confirmed } = silo
  return {
    kinds: kindsIn(cx, silo),
    passkeys: passkeys.map(passkeyView),
    totp: silo.time_created && {
      time_created: silo.time_created.toISOString(),
      time_last_used: silo.time_last_used?.toISOString() ?? null,
    },
    recovery_codes_left: silo.recovery_codes ?? 0,
    is_required: silo.second_factor === 'required',
    needs_confirmation: time_created === null || !isRecent(cx, { time_created, time_confirmed }),
  }
}

/** Empty with an identity provider, which asks for a second factor itself. */
const kindsIn = (cx: Cx, { identity_mode }: Pick<Row<'silo'>, 'identity_mode'>): OwnSecondFactors['kinds'] =>
  identity_mode === 'local_only'
    ? factorKinds.filter((kind) => kind !== 'passkey' || cx.services.webauthn)
    : []

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
  needSession(cx, 'factors')
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

import { codeOf } from '@gantry/api/people/second-factor.rules'
import { changeBefore } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import { toBase32 } from './base32.ts'
import { type Holder, type Proof, scopeOf } from './factor-holder.ts'
import { totpSecretBytes, totpStepAt, totpStepOf, totpUri } from './totp.ts'
import { expiryAfter, isUnexpired } from './expiry.ts'
import { wrongCode } from './refusals.ts'

/** Seconds within which users must add the secret to their app. */
const setUpSeconds = 900

/** Creates a tentative secret: an existing app stays valid until a code of the new one was entered. */
export async function beginTotp(cx: Cx, holder: Holder): Promise<{ secret: string; uri: string }> {
  const secret = toBase32(cx.services.random(totpSecretBytes))
  const row = {
    secret: await cx.services.seal.seal(secret),
    time_expires: expiryAfter(cx.now(), setUpSeconds),
  }
  await changeBefore(cx, scopeOf(holder), (tx) =>
    tx.plain
      .insertInto('totp_set_up')
      .values({ silo_user_id: holder.id, ...row })
      .onConflict((conflict) => conflict.column('silo_user_id').doUpdateSet(row))
      .execute(),
  )
  return { secret, uri: totpUri(secret, holder) }
}

/** Verifies a code of the tentative secret; the app then replaces the existing one. */
export async function checkNewTotp(cx: Cx, { id }: Holder, typed: string): Promise<Proof> {
  const begun = await cx.db
    .selectFrom('totp_set_up')
    .select('secret')
    .where('silo_user_id', '=', id)
    .where(isUnexpired(cx.now(), setUpSeconds))
    .executeTakeFirst()
  if (!begun)
    throw invalid('no authenticator app is being set up', 'Start over to get a new secret for your app.')
  const last_step = await totpStepOf(await cx.services.seal.open(begun.secret), codeOf(typed), cx.now())
  if (last_step === undefined) throw wrongCode()
  return async (tx) => {
    const taken = await tx.plain
      .deleteFrom('totp_set_up')
      .where('silo_user_id', '=', id)
      .where('secret', '=', begun.secret)
      .executeTakeFirst()
    if (taken.numDeletedRows === 0n) throw wrongCode()
    const row = { secret: begun.secret, last_step, time_created: cx.now(), time_last_used: null }
    await tx.plain
      .insertInto('totp')
      .values({ silo_user_id: id, ...row })
      .onConflict((conflict) => conflict.column('silo_user_id').doUpdateSet(row))
      .execute()
  }
}

/** Verifies a code of a user's app. Of two concurrent uses of the same code, the first succeeds. */
export async function checkTotp(cx: Cx, { id }: Pick<Holder, 'id'>, typed: string): Promise<Proof> {
  const row = await cx.db
    .selectFrom('totp')
    .select('secret')
    .where('silo_user_id', '=', id)
    .executeTakeFirst()
  const now = cx.now()
  const step = row && (await totpStepOf(await cx.services.seal.open(row.secret), codeOf(typed), now))
  if (step === undefined) throw wrongCode()
  return async (tx) => {
    const used = await tx.plain
      .updateTable('totp')
      .set({ last_step: step, time_last_used: now })
      .where('silo_user_id', '=', id)
      .where('secret', '=', row?.secret ?? '')
      // A step in the future was stored while the clock was ahead; waiting for it would lock the user out.
      .where((where) =>
        where.or([where('last_step', '<', step), where('last_step', '>', totpStepAt(now) + 1)]),
      )
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw wrongCode()
  }
}

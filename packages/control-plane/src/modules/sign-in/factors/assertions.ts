import type { PasskeyAssertion, PasskeyRequest } from '@gantry/api/people/second-factor'
import type { PasskeyUse } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import { challengeSeconds, newChallenge, useChallenge } from './challenges.ts'
import type { Holder, Proof } from './factor-holder.ts'
import { passkeysAt, userHandleOf } from './passkeys.ts'
import { needRelyingParty } from './relying-party.ts'
import { wrongPasskey } from './refusals.ts'

/** Requests any passkey, or one of a known user. */
export async function requestPasskey(
  cx: Cx,
  use: PasskeyUse,
  holder?: Pick<Holder, 'id'>,
): Promise<PasskeyRequest> {
  const { rp_id } = needRelyingParty(cx)
  return {
    challenge: await newChallenge(cx, use, holder?.id ?? null),
    rp_id,
    allow: holder ? await passkeysAt(cx, holder, rp_id) : [],
    timeout_seconds: challengeSeconds,
  }
}

interface Asserted {
  use: PasskeyUse
  silo_user_id: string
  proof: Proof
}

/** Verifies a signature, and returns whose passkey made it. */
export async function checkPasskey(
  cx: Cx,
  given: PasskeyAssertion,
  uses: readonly PasskeyUse[],
): Promise<Asserted> {
  const { webauthn, ...party } = needRelyingParty(cx)
  const used = await useChallenge(cx, given.client_data, uses)
  const passkey = await cx.db
    .selectFrom('passkey')
    .innerJoin('silo_user', 'silo_user.id', 'passkey.silo_user_id')
    .selectAll('passkey')
    .select('silo_user.silo_id')
    .where('credential_id', '=', given.credential_id)
    .where('rp_id', '=', party.rp_id)
    .executeTakeFirst()
  if (!used || !passkey) throw wrongPasskey()
  const { id, silo_user_id, silo_id } = passkey
  cx.request.subject = { silo_id, user_id: silo_user_id }
  const isOwners = used.silo_user_id === null || used.silo_user_id === silo_user_id
  const isHandle = !given.user_handle || given.user_handle === userHandleOf({ id: silo_user_id })
  if (!isOwners || !isHandle) throw wrongPasskey()
  const sign_count = await webauthn
    .readAssertion(given, { ...party, challenge: used.challenge }, passkey)
    .catch((error: unknown) => {
      // A counter that has not advanced is suspicious too, because a copied authenticator would show it.
      cx.services.log.warn(
        { err: error, passkey: id, request_id: cx.request.id },
        'a passkey was not accepted',
      )
      throw wrongPasskey()
    })
  return {
    use: used.use,
    silo_user_id,
    proof: async (tx) => {
      const counted = await tx.plain
        .updateTable('passkey')
        .set({ sign_count, time_last_used: cx.now() })
        .where('id', '=', id)
        .where('sign_count', '=', passkey.sign_count)
        .executeTakeFirst()
      if (counted.numUpdatedRows === 0n) throw wrongPasskey()
    },
  }
}

import type { PasskeyCreate, PasskeyCreation } from '@gantry/api/people/second-factor'
import { passkeyAlgorithms, passkeysMax } from '@gantry/api/people/second-factor.rules'
import type { Change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid } from '@gantry/control-plane/context/refusal'
import { toBase64Url } from './base64url.ts'
import { challengeSeconds, newChallenge, useChallenge } from './challenges.ts'
import type { Holder, Proof } from './factor-holder.ts'
import { needRelyingParty } from './relying-party.ts'
import { wrongPasskey } from './refusals.ts'

/** The authenticator's handle for its user: an id that reveals nothing. */
export const userHandleOf = ({ id }: Pick<Holder, 'id'>): string => toBase64Url(new TextEncoder().encode(id))

/** The options by which a browser creates a passkey for this user. */
export async function beginPasskey(cx: Cx, holder: Holder): Promise<PasskeyCreation> {
  const { rp_id } = needRelyingParty(cx)
  return {
    challenge: await newChallenge(cx, 'create', holder.id),
    rp_id,
    user_handle: userHandleOf(holder),
    user_name: holder.name,
    algorithms: [...passkeyAlgorithms],
    exclude: await passkeysAt(cx, holder, rp_id),
    timeout_seconds: challengeSeconds,
  }
}

/** A user's passkeys for this domain, in the browser's format. */
export async function passkeysAt(
  cx: Cx,
  { id }: Pick<Holder, 'id'>,
  rp_id: string,
): Promise<{ id: string; transports: string[] }[]> {
  const rows = await cx.db
    .selectFrom('passkey')
    .select(['credential_id', 'transports'])
    .where('silo_user_id', '=', id)
    .where('rp_id', '=', rp_id)
    .orderBy('id')
    .execute()
  return rows.map(({ credential_id, transports }) => ({ id: credential_id, transports }))
}

/** Verifies a new passkey; the returned proof stores it. */
export async function checkNewPasskey(cx: Cx, { id }: Holder, made: PasskeyCreate): Promise<Proof> {
  const { webauthn, ...party } = needRelyingParty(cx)
  const used = await useChallenge(cx, made.client_data, ['create'])
  if (!used || used.silo_user_id !== id) throw wrongPasskey()
  const known = await webauthn
    .readRegistration(made, { ...party, challenge: used.challenge })
    .catch((error: unknown) => {
      cx.services.log.info({ err: error, request_id: cx.request.id }, 'a new passkey was not accepted')
      throw wrongPasskey()
    })
  const row = {
    ...known,
    id: cx.newId(),
    silo_user_id: id,
    rp_id: party.rp_id,
    transports: JSON.stringify(made.transports),
    name: made.name.trim(),
    time_created: cx.now(),
    time_last_used: null,
  }
  return async (tx) => {
    await refuseTooMany(tx, id)
    const inserted = await tx.plain
      .insertInto('passkey')
      .values(row)
      .onConflict((conflicting) => conflicting.column('credential_id').doNothing())
      .executeTakeFirst()
    if (!inserted.numInsertedOrUpdatedRows)
      throw conflict(
        'this passkey is already registered',
        'Use it, or create one with another authenticator.',
      )
  }
}

async function refuseTooMany(tx: Change, id: string): Promise<void> {
  const rows = await tx.read.selectFrom('passkey').select('id').where('silo_user_id', '=', id).execute()
  if (rows.length >= passkeysMax)
    throw invalid(`a user may have at most ${passkeysMax} passkeys`, 'Delete an unused one.')
}

import { z } from 'zod'
import { hashSecret } from '@gantry/control-plane/authz/secret'
import type { PasskeyUse } from '@gantry/control-plane/db/tables'
import { changeBefore } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { fromBase64Url, toBase64Url } from './base64url.ts'
import { expiryAfter, isUnexpired } from './expiry.ts'

/** Seconds within which users must find their authenticator. */
export const challengeSeconds = 300
const challengeBytes = 32

/** Creates a single-use challenge. A challenge with an owner is for that user's passkeys only. */
export async function newChallenge(cx: Cx, use: PasskeyUse, silo_user_id: string | null): Promise<string> {
  const challenge = toBase64Url(cx.services.random(challengeBytes))
  const challenge_hash = await hashSecret(challenge)
  const time_expires = expiryAfter(cx.now(), challengeSeconds)
  await changeBefore(cx, { silo_id: null, project_id: null }, (tx) =>
    tx.plain
      .insertInto('passkey_challenge')
      .values({ challenge_hash, use, silo_user_id, time_expires })
      .execute(),
  )
  return challenge
}

interface Used {
  challenge: string
  use: PasskeyUse
  silo_user_id: string | null
}

/** Consumes the challenge that was signed; undefined if it is unknown or already used. */
export async function useChallenge(
  cx: Cx,
  clientData: string,
  uses: readonly PasskeyUse[],
): Promise<Used | undefined> {
  const challenge = challengeIn(clientData)
  if (challenge === undefined) return undefined
  const challenge_hash = await hashSecret(challenge)
  const row = await changeBefore(cx, { silo_id: null, project_id: null }, (tx) =>
    tx.plain
      .deleteFrom('passkey_challenge')
      .where('challenge_hash', '=', challenge_hash)
      .where('use', 'in', uses)
      .where(isUnexpired(cx.now(), challengeSeconds))
      .returning(['use', 'silo_user_id'])
      .executeTakeFirst(),
  )
  return row && { challenge, ...row }
}

const ClientData = z.object({ challenge: z.string().regex(/^[\w-]{43}$/) })

/** The challenge that the browser claims to have signed; verifying the signature proves it. */
function challengeIn(clientData: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(clientData))
    return ClientData.parse(JSON.parse(text)).challenge
  } catch {
    return undefined
  }
}

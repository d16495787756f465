import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid, notFound } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import type { Selectors } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'
import {
  insertToken,
  type MadeToken,
  maxSecondsOf,
  shownOnce,
  tokensOf,
  wantedToken,
} from '../sign-in/device/made-tokens.ts'
import { lockCaller } from '../sign-in/sessions/end-credentials.ts'
import { needSession } from '../sign-in/sessions/need-session.ts'
import { needManaged } from './accounts.ts'

export const listAccountTokens = async (cx: Cx, at: Selectors) =>
  tokensOf(cx, (await needManaged(cx, at)).row.id)

/** Made at a browser like any token, so that no token makes another that outlives it. */
export async function createAccountToken(
  cx: Cx,
  at: Selectors,
  body: Input<'serviceAccountTokenCreate'>['body'],
): Promise<MadeToken> {
  const { row, scope } = await needManaged(cx, at)
  needSession(cx, 'tokens')
  const wanted = await wantedToken(cx, body)
  const { projects } = wanted.scope
  if (row.project_id !== null && projects?.some((id) => id !== row.project_id))
    throw invalid(
      'a service account of a project can do nothing in other projects',
      'Leave projects out, or make a service account of the silo.',
    )
  return shownOnce(cx, ({ token_hash }) =>
    change(cx, scope, async (tx) => {
      await lockCaller(tx)
      await tx.lockById('silo_user', row.id)
      return insertToken(tx, row.id, token_hash, wanted)
    }),
  )
}

/** The token that is replaced may still be used for a while, in which programs learn the new one. */
export async function rotateAccountToken(
  cx: Cx,
  { token_id, ...at }: Selectors & { token_id: string },
  { overlap_seconds }: Input<'serviceAccountTokenRotate'>['body'],
): Promise<MadeToken> {
  const { row, scope } = await needManaged(cx, at)
  needSession(cx, 'tokens')
  const maxSeconds = await maxSecondsOf(cx)
  return shownOnce(cx, ({ token_hash }) =>
    change(cx, scope, async (tx) => {
      await lockCaller(tx)
      await tx.lockById('silo_user', row.id)
      const now = cx.now()
      const old = await tx.read
        .selectFrom('device_access_token')
        .selectAll()
        .where('id', '=', token_id)
        .where('silo_user_id', '=', row.id)
        .where('time_expires', '>', now)
        .executeTakeFirst()
      if (!old) throw notFound('device-access-token', { id: token_id })
      const ends = new Date(Math.min(old.time_expires.getTime(), now.getTime() + overlap_seconds * 1000))
      const own = tx.plain
      await (overlap_seconds === 0
        ? own.deleteFrom('device_access_token').where('id', '=', old.id).execute()
        : own
            .updateTable('device_access_token')
            .set({ time_expires: ends })
            .where('id', '=', old.id)
            .execute())
      tx.note('device-access-token', old.id, undefined, undefined)
      return insertToken(tx, row.id, token_hash, { ...old, seconds: Math.min(secondsOf(old), maxSeconds) })
    }),
  )
}

const secondsOf = ({ time_created, time_expires }: Row<'device_access_token'>): number =>
  Math.round((time_expires.getTime() - time_created.getTime()) / 1000)

export async function deleteAccountToken(
  cx: Cx,
  { token_id, ...at }: Selectors & { token_id: string },
): Promise<void> {
  const { row, scope } = await needManaged(cx, at)
  needSession(cx, 'tokens')
  await change(cx, scope, async (tx) => {
    const gone = await tx.plain
      .deleteFrom('device_access_token')
      .where('id', '=', token_id)
      .where('silo_user_id', '=', row.id)
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw notFound('device-access-token', { id: token_id })
    tx.note('device-access-token', token_id, undefined, undefined)
  })
}

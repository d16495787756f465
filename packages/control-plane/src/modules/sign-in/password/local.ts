import type { Passwords } from '@gantry/control-plane/environment'
import { attempt } from '@gantry/control-plane/work/attempts'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import { Refusal, unauthorized } from '@gantry/control-plane/context/refusal'
import { noteFailedSignIn } from '../sessions/failed-sign-ins.ts'
import { accountOf, knownDevice, rememberDevice } from './known-device.ts'
import { passwordAttempts } from './limits.ts'
import { passwordTurn } from './password-turns.ts'
import { cookieOf, cookieOfNone, insertSession, newSession } from '../sessions/open-session.ts'
import { secondStep } from '../factors/second-step.ts'
import { onceEach } from '@gantry/control-plane/context/once-each'

/** A decoy hash, so that an unknown user takes as long as a wrong password. */
const decoys = onceEach((_passwords: Passwords) => ({ hash: '' }))
async function decoyOf(passwords: Passwords): Promise<string> {
  return (decoys(passwords).hash ||= await passwords.hash('nobody has this password'))
}

/**
 * 204 with the session cookie; one response for every kind of failure, so that silos are indistinguishable
 * either.
 */
export async function loginLocal(
  cx: Cx,
  siloName: string,
  { username, password }: { username: string; password: string },
): Promise<Reply> {
  const account = accountOf(siloName, username)
  const device = await knownDevice(cx, account)
  const person = await passwordTurn(cx, device && account, () =>
    attempt(cx, passwordAttempts(cx, account, device), () =>
      checkPassword(cx, siloName, username, password).catch(async (error: unknown) => {
        if (error instanceof Refusal) await noteFailedSignIn(cx, siloName, username)
        throw error
      }),
    ),
  )
  cx.request.subject = { silo_id: person.silo_id, user_id: person.id }
  const next = await secondStep(cx, person)
  if (next) return next
  const { token, token_hash } = await newSession(cx)
  await change(cx, { silo_id: person.silo_id, project_id: null }, async (tx) => {
    await insertSession(tx, person, token_hash)
    await needSamePassword(tx, person)
  })
  const cookies = [cookieOf(cx, token)['set-cookie'], ...(await rememberDevice(cx, account, device))]
  return new Reply(undefined, { 'set-cookie': cookies })
}

interface Checked {
  id: string
  silo_id: string
  /** The hash the password was checked against. */
  hash: string
  is_one_time: boolean
}

/** A password that was reset or removed since its check opens no session. Requires a lock on the user. */
export async function needSamePassword(
  tx: Change,
  { id, hash }: Pick<Checked, 'id' | 'hash'>,
): Promise<void> {
  const row = await tx.read
    .selectFrom('silo_user_password')
    .select('hash')
    .where('silo_user_id', '=', id)
    .executeTakeFirst()
  if (row?.hash !== hash) throw unauthorized()
}

/**
 * An unknown silo, and one without passwords, cost one query and one comparison too, like an unknown user.
 */
async function checkPassword(cx: Cx, siloName: string, username: string, password: string): Promise<Checked> {
  const { db, services } = cx
  const user = await db
    .selectFrom('silo_user')
    .innerJoin('silo', 'silo.id', 'silo_user.silo_id')
    .leftJoin('silo_user_password', 'silo_user_password.silo_user_id', 'silo_user.id')
    .select([
      'silo_user.id',
      'silo_user.silo_id',
      'silo_user_password.hash',
      'silo_user_password.is_one_time',
    ])
    .where('silo.name', '=', siloName)
    .where('silo.identity_mode', '=', 'local_only')
    .where('silo.time_deleted', 'is', null)
    .where('silo_user.external_id', '=', username)
    .where('silo_user.time_deleted', 'is', null)
    .executeTakeFirst()
  const hash = user?.hash ?? (await decoyOf(services.passwords))
  const matches = await services.passwords.verify(hash, password)
  if (!user?.hash || !matches) throw unauthorized()
  return { ...user, hash: user.hash, is_one_time: user.is_one_time ?? false }
}

/** Always 204 with a cookie that clears the old one; an existing session ends. */
export async function logout(cx: Cx): Promise<Reply> {
  const { actor } = cx
  const credential = actor.kind === 'silo_user' ? actor.credential : undefined
  if (actor.kind === 'silo_user' && credential?.method === 'session_cookie') {
    await change(cx, { silo_id: actor.silo_id, project_id: null }, async (tx) => {
      await tx.plain.deleteFrom('console_session').where('id', '=', credential.id).execute()
      tx.note('console-session', credential.id, undefined, undefined)
    })
  }
  return new Reply(undefined, cookieOfNone(cx))
}

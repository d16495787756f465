import type { Passwords } from '../../environment.ts'
import { attempt } from '../../kernel/attempts.ts'
import { change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { Reply } from '../../kernel/implement.ts'
import { notFound, unauthorized } from '../../kernel/refusal.ts'
import { passwordAttempts } from './limits.ts'
import { cookieOf, cookieOfNone, insertSession, newSession } from './open-session.ts'
import { secondStep } from './second-factor/pending.ts'
import { namedSilo } from '../silo/find.ts'

/** A hash of nothing in particular, so that an unknown user costs as much time as a wrong password. */
const decoys = new WeakMap<Passwords, string>()
async function decoyOf(passwords: Passwords): Promise<string> {
  const hash = decoys.get(passwords) ?? (await passwords.hash('nobody has this password'))
  decoys.set(passwords, hash)
  return hash
}

/** 204 with the session's cookie; one answer for every way of being wrong (control plane reference, A 5.3). */
export async function loginLocal(
  cx: Cx,
  siloName: string,
  { username, password }: { username: string; password: string },
): Promise<Reply> {
  const person = await attempt(cx, passwordAttempts(cx, siloName, username), () =>
    checkPassword(cx, siloName, username, password),
  )
  const next = await secondStep(cx, person)
  if (next) return next
  const { token, token_hash } = await newSession(cx)
  await change(cx, { silo_id: person.silo_id, project_id: null }, (tx) =>
    insertSession(tx, person, token_hash),
  )
  return new Reply(undefined, cookieOf(cx, token))
}

async function checkPassword(
  cx: Cx,
  siloName: string,
  username: string,
  password: string,
): Promise<{ id: string; silo_id: string; hash: string }> {
  const { db, services } = cx
  const silo = await namedSilo(cx, siloName)
  if (silo.identity_mode !== 'local_only') throw notFound('identity-provider', { name: 'local' })
  const user = await db
    .selectFrom('silo_user')
    .leftJoin('silo_user_password', 'silo_user_password.silo_user_id', 'silo_user.id')
    .select(['silo_user.id', 'silo_user.silo_id', 'silo_user_password.hash'])
    .where('silo_id', '=', silo.id)
    .where('external_id', '=', username)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  const hash = user?.hash ?? (await decoyOf(services.passwords))
  const matches = await services.passwords.verify(hash, password)
  if (!user?.hash || !matches) throw unauthorized()
  return { ...user, hash }
}

/** Always 204 with a cookie that forgets; a session that is there ends. */
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

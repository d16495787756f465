import type { CurrentUser } from '@gantry/api/me'
import { sessionAbsoluteMinutes, hashToken } from '../../authz/authenticate.ts'
import type { Passwords } from '../../environment.ts'
import { type Cx, toHex } from '../../kernel/cx.ts'
import { change } from '../../kernel/change.ts'
import { Reply } from '../../kernel/implement.ts'
import { notFound, unauthorized } from '../../kernel/refusal.ts'

const tokenBytes = 20

const cookie = (cx: Cx, value: string, maxAge: number): string =>
  `session=${value}; Path=/; HttpOnly; SameSite=Lax;${cx.services.secure ? ' Secure;' : ''} Max-Age=${maxAge}`

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
  const { db, services } = cx
  const silo = await db
    .selectFrom('silo')
    .selectAll()
    .where('name', '=', siloName)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!silo) throw notFound('silo', { name: siloName })
  if (silo.identity_mode !== 'local_only') throw notFound('identity-provider', { name: 'local' })
  const user = await db
    .selectFrom('silo_user')
    .leftJoin('silo_user_password', 'silo_user_password.silo_user_id', 'silo_user.id')
    .select(['silo_user.id', 'silo_user_password.hash'])
    .where('silo_id', '=', silo.id)
    .where('external_id', '=', username)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  const hash = user?.hash ?? (await decoyOf(services.passwords))
  const matches = await services.passwords.verify(hash, password)
  if (!user?.hash || !matches) throw unauthorized()

  const token = toHex(services.random(tokenBytes))
  const now = cx.now()
  const token_hash = await hashToken(token)
  await change(cx, { silo_id: silo.id, project_id: null }, async (tx) => {
    await tx.plain
      .insertInto('console_session')
      .values({ id: cx.newId(), token_hash, silo_user_id: user.id, time_created: now, time_last_used: now })
      .execute()
  })
  return new Reply(undefined, { 'set-cookie': cookie(cx, token, sessionAbsoluteMinutes * 60) })
}

/** Always 204 with a cookie that forgets; a session that is there ends. */
export async function logout(cx: Cx): Promise<Reply> {
  const { actor } = cx
  if (actor.kind === 'silo_user' && actor.session_id !== undefined) {
    const { session_id } = actor
    await change(cx, { silo_id: actor.silo_id, project_id: null }, async (tx) => {
      await tx.plain.deleteFrom('console_session').where('id', '=', session_id).execute()
    })
  }
  return new Reply(undefined, { 'set-cookie': cookie(cx, '', 0) })
}

export function currentUser(cx: Cx): CurrentUser {
  const { user_id, display_name, silo_id, silo_name } = cx.user()
  return {
    id: user_id,
    display_name,
    silo_id,
    silo_name,
    fleet_viewer: cx.can('read', { class: 'fleet' }),
    silo_admin: cx.can('modify', { class: 'silo', silo_id }),
  }
}

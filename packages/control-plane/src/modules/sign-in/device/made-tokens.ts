import type { TokenDetails } from '@gantry/api/people/access-token'
import { tokenSecondsDefault } from '@gantry/api/people/device.rules'
import { tokenPowers, type TokenScope } from '@gantry/api/people/token-scope.rules'
import { sql } from 'kysely'
import { accessTokenPrefix, stillValid } from '@gantry/control-plane/authz/access-token'
import { hashSecret, newSecret } from '@gantry/control-plane/authz/secret'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { authSettingsOf } from '../auth-settings.ts'
import { lockCaller } from '../sessions/end-credentials.ts'
import { needSession } from '../sessions/need-session.ts'
import { needRoomForToken } from './token-limit.ts'

type Token = Row<'device_access_token'>

/** Makes a token for scripts. Only a user at a browser makes one: a token would outlive the one that made it. */
export async function createToken(cx: Cx, { body }: Input<'accessTokenCreate'>): Promise<MadeToken> {
  needSession(cx, 'tokens')
  const wanted = await wantedToken(cx, body)
  const { user_id, silo_id } = cx.user()
  return shownOnce(cx, ({ token_hash }) =>
    change(cx, { silo_id, project_id: null }, async (tx) => {
      await lockCaller(tx)
      return insertToken(tx, user_id, token_hash, wanted)
    }),
  )
}

export interface MadeToken {
  token: string
  id: string
  details: TokenDetails
}

type Wanted = Pick<Token, 'name' | 'description' | 'scope'> & { seconds: number }

/** What a request asks of a token, if the silo allows it. */
export async function wantedToken(
  cx: Cx,
  body: Input<'accessTokenCreate'>['body'],
): Promise<Wanted & { scope: TokenScope }> {
  const maxSeconds = await maxSecondsOf(cx)
  if (body.ttl_seconds > maxSeconds)
    throw invalid(
      `a token of this silo lasts ${maxSeconds} seconds at most`,
      'Choose a shorter lifetime, or ask an administrator of the silo to allow longer ones.',
    )
  const projects = body.projects ? await idsOf(cx, body.projects) : null
  const powers = tokenPowers.filter((power) => body.powers.includes(power))
  const { name, description, ttl_seconds } = body
  return { name, description: description || null, scope: { powers, projects }, seconds: ttl_seconds }
}

/** How long a token of the caller's silo lasts at most, in seconds. */
export const maxSecondsOf = async (cx: Cx): Promise<number> =>
  (await authSettingsOf(cx.db, cx.user().silo_id)).device_token_max_ttl_seconds ?? tokenSecondsDefault

/** A new token, whose secret only this answer has; it is hashed outside the transaction that stores it. */
export async function shownOnce(
  cx: Cx,
  insert: (secret: { token_hash: string }) => Promise<Token>,
): Promise<MadeToken> {
  const secret = newSecret(cx.services)
  const row = await insert({ token_hash: await hashSecret(secret) })
  return { id: row.id, token: accessTokenPrefix + secret, details: viewOf(row, await namesOf(cx, [row])) }
}

/** Requires a lock on the user. */
export async function insertToken(
  tx: Change,
  silo_user_id: string,
  token_hash: string,
  { name, description, scope, seconds }: Wanted,
): Promise<Token> {
  const { cx } = tx
  await needRoomForToken(tx, silo_user_id)
  const now = cx.now()
  const made = await tx.plain
    .insertInto('device_access_token')
    .values({
      id: cx.newId(),
      token_hash,
      time_fetched: now,
      device_code_hash: null,
      client_id: null,
      silo_user_id,
      name,
      description,
      scope: scope && JSON.stringify(scope),
      time_created: now,
      time_expires: new Date(now.getTime() + seconds * 1000),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.note('device-access-token', made.id, undefined, undefined)
  cx.request.details = { token_id: made.id, token_name: made.name, ...scope }
  return made
}

/** Only projects that the caller sees can be named, so that the scope says nothing of others. */
async function idsOf(cx: Cx, given: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const project of given) ids.push((await need(cx, 'project', { project }, 'read')).row.id)
  return [...new Set(ids)]
}

export const listMadeTokens = (cx: Cx) => tokensOf(cx, cx.user().user_id)

/** The tokens of a user that have not expired, newest first. */
export async function tokensOf(cx: Cx, silo_user_id: string): Promise<{ items: TokenDetails[] }> {
  const rows = await cx.db
    .selectFrom('device_access_token as t')
    .selectAll()
    .where('silo_user_id', '=', silo_user_id)
    .where(sql<boolean>`${stillValid(cx.now())}`)
    .orderBy('time_created', 'desc')
    .orderBy('id')
    .limit(cx.services.settings.limits.tokens_per_person)
    .execute()
  const names = await namesOf(cx, rows)
  return { items: rows.map((row) => viewOf(row, names)) }
}

/** Of the caller's own; the sessions of browsers stay. */
export async function deleteAllTokens(cx: Cx): Promise<void> {
  needSession(cx, 'tokens')
  const { user_id, silo_id } = cx.user()
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    // Waits for a concurrent approval of a device, and deletes its token, too.
    await tx.lockById('silo_user', user_id)
    await tx.plain.deleteFrom('device_access_token').where('silo_user_id', '=', user_id).execute()
    tx.note('device-access-token', user_id, undefined, undefined)
  })
}

async function namesOf(cx: Cx, tokens: readonly Token[]): Promise<Map<string, string>> {
  const ids = [...new Set(tokens.flatMap(({ scope }) => scope?.projects ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await cx.db
    .selectFrom('project')
    .select(['id', 'name', 'silo_id'])
    .where('id', 'in', ids)
    .where('time_deleted', 'is', null)
    .execute()
  const seen = rows.filter(({ id, silo_id }) => cx.can('read', { class: 'project', silo_id, project_id: id }))
  return new Map(seen.map(({ id, name }) => [id, name]))
}

const viewOf = (row: Token, names: ReadonlyMap<string, string>): TokenDetails => ({
  id: row.id,
  name: row.name,
  description: row.description,
  scope: row.scope && {
    powers: [...row.scope.powers],
    projects: row.scope.projects?.map((id) => ({ id, name: names.get(id) ?? null })) ?? null,
  },
  time_last_used: row.time_last_used?.toISOString() ?? null,
  last_address: row.last_address,
  last_user_agent: row.last_user_agent,
  time_created: row.time_created.toISOString(),
  time_expires: row.time_expires.toISOString(),
})

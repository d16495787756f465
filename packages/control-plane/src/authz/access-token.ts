import { CompiledQuery, sql } from 'kysely'
import { latestPast } from '../kernel/time.ts'
import type { Services } from '../kernel/services.ts'
import { unauthorized } from '../kernel/refusal.ts'
import type { SiloUser } from './actor.ts'
import { holderOf, type HolderRow, holderText } from './person.ts'
import { hashSecret, isSecret } from './secret.ts'

/** The prefix by which existing clients recognise an access token (control plane reference, A 5.1). */
export const accessTokenPrefix = 'oxide-token-'

/** The secret of one of our bearer tokens; foreign tokens are ignored. */
export function bearerToken(request: Request): string | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token?.startsWith(accessTokenPrefix) ? token.slice(accessTokenPrefix.length) : undefined
}

/** The user a token acts for; refuses unknown and expired tokens. */
export async function tokenHolder(services: Services, token: string): Promise<SiloUser> {
  if (!isSecret(token)) throw unauthorized()
  const now = services.clock()
  const bound = [await hashSecret(token), now, latestPast(now)]
  const { rows } = await services.db.executeQuery<TokenRow>(CompiledQuery.raw(tokenText, bound))
  if (!rows[0]) throw unauthorized()
  return holderOf(services, rows[0], { method: 'access_token', id: rows[0].id })
}

interface TokenRow extends HolderRow {
  id: string
}

const tokenText = holderText(
  'device_access_token',
  'c.id',
  'c.token_hash = $1 AND c.time_expires > $2 AND c.time_created <= $3',
)

/** A condition on alias `t` that selects valid tokens. */
export const stillValid = (now: Date) => sql`t.time_expires > ${now} AND t.time_created <= ${latestPast(now)}`

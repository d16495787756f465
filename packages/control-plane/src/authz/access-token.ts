import type { TokenScope } from '@gantry/api/people/token-scope.rules'
import { CompiledQuery, sql } from 'kysely'
import { latestPast } from '../context/time.ts'
import type { Services } from '../context/services.ts'
import { unauthorized } from '../context/refusal.ts'
import type { SiloUser } from './actor.ts'
import type { CredentialSource } from './credential-text.ts'
import { holderOf, type HolderRow, holderText } from './person.ts'
import { hashSecret, isSecret } from './secret.ts'
import { recentCallers } from './recent-callers.ts'

/** The prefix by which existing clients recognise an access token (control plane reference, A 5.1). */
export const accessTokenPrefix = 'oxide-token-'

/** The secret of a bearer token with our prefix; foreign tokens are ignored. */
export function bearerToken(request: Request, prefix = accessTokenPrefix): string | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token?.startsWith(prefix) ? token.slice(prefix.length) : undefined
}

/** The user a token acts for; refuses unknown and expired tokens. */
export async function tokenHolder(services: Services, token: string): Promise<SiloUser> {
  if (!isSecret(token)) throw unauthorized()
  const hash = await hashSecret(token)
  const bound = (now: Date) => [hash, now, latestPast(now)]
  const { rows } = await services.db.executeQuery<TokenRow>(
    CompiledQuery.raw(tokenText, bound(services.clock())),
  )
  if (!rows[0]) throw unauthorized()
  const method = 'access_token'
  const { id, scope, name } = rows[0]
  const credential = { method, id, ...(scope && { scope }), ...(name && { name }) } as const
  const holder = await holderOf(services, rows[0], credential)
  // The proof checks the token's end itself.
  recentCallers(services).keep(method, token, { ...holder, source, bound, endsAt: Infinity })
  return holder.actor
}

interface TokenRow extends HolderRow {
  id: string
  name: string | null
  scope: TokenScope | null
}

const source: CredentialSource = {
  table: 'device_access_token',
  condition: 'c.token_hash = $1 AND c.time_expires > $2 AND c.time_created <= $3',
}
const tokenText = holderText(source, 'c.id, c.name, c.scope')

/** A condition on alias `t` that selects valid tokens. */
export const stillValid = (now: Date) => sql`t.time_expires > ${now} AND t.time_created <= ${latestPast(now)}`

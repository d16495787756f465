import type { Services } from '../context/services.ts'
import { unauthorized } from '../context/refusal.ts'
import { bearerToken } from './access-token.ts'
import type { ScimClient } from './actor.ts'
import { hashSecret, isSecret } from './secret.ts'

/** The prefix by which identity providers' clients recognise a token. */
export const scimTokenPrefix = 'oxide-scim-'

/** The identity provider whose token the request has; nothing else identifies one. */
export async function scimClient(services: Services, request: Request): Promise<ScimClient> {
  const secret = bearerToken(request, scimTokenPrefix)
  if (secret === undefined || !isSecret(secret)) throw unauthorized()
  const row = await services.db
    .selectFrom('scim_token_secret as s')
    .innerJoin('scim_token as t', 't.id', 's.scim_token_id')
    .innerJoin('silo', 'silo.id', 't.silo_id')
    .select(['t.id', 't.silo_id'])
    .where('s.token_hash', '=', await hashSecret(secret))
    .where('t.time_deleted', 'is', null)
    .where('silo.time_deleted', 'is', null)
    .where((is) => is.or([is('t.time_expires', 'is', null), is('t.time_expires', '>', services.clock())]))
    .executeTakeFirst()
  if (!row) throw unauthorized()
  return { kind: 'scim', silo_id: row.silo_id, token_id: row.id }
}

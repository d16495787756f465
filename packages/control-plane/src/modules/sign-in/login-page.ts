import type { LoginMethods, LoginSilo } from '@gantry/api/people/login'
import type { Cx } from '../../context/cx.ts'

/** Silos that the sign-in page may offer to everyone. */
export async function listLoginSilos(cx: Cx): Promise<{ items: LoginSilo[] }> {
  const items = await cx.db
    .selectFrom('silo')
    .select(['name', 'description'])
    .where('discoverable', '=', true)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  return { items }
}

/**
 * The response for an undiscoverable silo equals that for a missing one: its users know their password, or
 * their identity provider's sign-in URL.
 */
const unknown = { local: true, saml: [] }

export async function viewLoginMethods(cx: Cx, name: string): Promise<LoginMethods> {
  const silo = await cx.db
    .selectFrom('silo')
    .select(['id', 'identity_mode'])
    .where('name', '=', name)
    .where('discoverable', '=', true)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  const passkey = cx.services.webauthn !== undefined
  if (!silo) return { ...unknown, passkey }
  const saml = await cx.db
    .selectFrom('saml_identity_provider')
    .select(['name', 'description'])
    .where('silo_id', '=', silo.id)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  const local = silo.identity_mode === 'local_only'
  return { local, passkey: local && passkey, saml }
}

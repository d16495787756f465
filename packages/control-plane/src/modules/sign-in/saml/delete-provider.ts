import type { SamlProviderDependents } from '@gantry/api/people/saml-provider'
import { sql } from 'kysely'
import { stillValid } from '@gantry/control-plane/authz/access-token'
import { stillOpen } from '@gantry/control-plane/authz/session'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { aim, type Selectors } from '@gantry/control-plane/lookup/need'
import { endCredentialsOfSilo } from '../sessions/end-credentials.ts'
import { removeParts } from './providers.ts'
import { needOwnedProvider } from './sign-in-test.ts'

/** The losses of users with the provider, for callers who may delete it. */
export async function viewDependents(cx: Cx, at: Selectors): Promise<SamlProviderDependents> {
  const { provider, silo } = await needOwnedProvider(cx, at)
  const now = cx.now()
  const own = cx.user().credential?.id ?? null
  const users = cx.db.selectFrom('silo_user').select('id').where('silo_id', '=', silo.id)
  const sessions = cx.db
    .selectFrom('console_session as t')
    .where('t.silo_user_id', 'in', users)
    .where(sql<boolean>`${stillOpen(now)}`)
    .where(sql<boolean>`t.id IS DISTINCT FROM ${own}::uuid`)
  const tokens = cx.db
    .selectFrom('device_access_token as t')
    .where('t.silo_user_id', 'in', users)
    .where(sql<boolean>`${stillValid(now)}`)
    .where(sql<boolean>`t.id IS DISTINCT FROM ${own}::uuid`)
  const all = sql<number>`count(*)::int`
  const live = (table: 'silo_user' | 'silo_group') =>
    cx.db
      .selectFrom(table)
      .select(all.as('count'))
      .where('silo_id', '=', silo.id)
      .where('time_deleted', 'is', null)
  const counted = await cx.db
    .selectNoFrom([
      live('silo_user').as('users'),
      live('silo_group').as('groups'),
      sessions.select(all.as('count')).as('sessions'),
      tokens.select(all.as('count')).as('access_tokens'),
      cx.db
        .selectFrom('saml_identity_provider')
        .select(all.as('count'))
        .where('silo_id', '=', silo.id)
        .where('id', '<>', provider.id)
        .where('time_deleted', 'is', null)
        .as('other_providers'),
    ])
    .executeTakeFirstOrThrow()
  return {
    users: counted.users ?? 0,
    groups: counted.groups ?? 0,
    sessions: counted.sessions ?? 0,
    access_tokens: counted.access_tokens ?? 0,
    other_providers: counted.other_providers ?? 0,
  }
}

/**
 * Deletes a provider with its keys. Nothing tells through which provider of a silo a session was opened, so all end:
 * what the deleted provider vouched for must not outlive it. Users and groups stay, with their roles.
 */
export async function deleteProvider(cx: Cx, at: Selectors): Promise<void> {
  const { provider, silo } = await needOwnedProvider(cx, at)
  aim(cx, provider)
  await change(cx, { silo_id: silo.id, project_id: null }, async (tx) => {
    // A sign-in that holds the silo has opened its session; a later one finds no provider.
    await tx.lockById('silo', silo.id)
    const row = await tx.lock('saml_identity_provider', provider)
    await endCredentialsOfSilo(tx, silo.id, cx.user().credential)
    await removeParts(tx, [row.id])
    await tx.remove('saml_identity_provider', row)
  })
}

import type { ScimToken, ScimTokenCreated } from '@gantry/api/people/scim-token'
import { hasFleetRoles } from '../../authz/fleet-stake.ts'
import { scimTokenPrefix } from '../../authz/scim-client.ts'
import { hashSecret, newSecret } from '../../authz/secret.ts'
import { type Change, change } from '../../change/change.ts'
import { removeAll } from '../../change/children.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { allow, type Known, know, need, type Selectors } from '../../lookup/need.ts'

/** All of them: a silo has few. */
export async function listTokens(cx: Cx, at: Selectors): Promise<ScimToken[]> {
  const silo: Known<'silo'> = await know(cx, 'silo', at)
  allow(cx, silo, 'list_children', { as: 'scimToken' })
  const rows = await cx.db
    .selectFrom('scim_token')
    .selectAll()
    .where('silo_id', '=', silo.row.id)
    .where('time_deleted', 'is', null)
    .orderBy('time_created')
    .orderBy('id')
    .execute()
  return rows.map(tokenView)
}

export const viewToken = async (cx: Cx, at: Selectors): Promise<ScimToken> =>
  tokenView((await need(cx, 'scim_token', at, 'read')).row)

/** Who manages users and groups decides who has roles that groups give, on the fleet, too. */
export async function createToken(cx: Cx, at: Selectors): Promise<ScimTokenCreated> {
  const silo: Known<'silo'> = await know(cx, 'silo', at)
  const fleet_stake = await hasFleetRoles(cx.db, silo.row)
  allow(cx, silo, 'create_child', { as: 'scimToken', fleet_stake })
  if (silo.row.identity_mode !== 'saml_scim')
    throw invalid(
      'users of this silo are not managed by SCIM',
      'Create a silo with the identity mode saml_scim, whose identity provider manages its users.',
    )
  const secret = newSecret(cx.services)
  const token_hash = await hashSecret(secret)
  const row = await change(cx, silo.scope, async (tx) => {
    await tx.hold('silo', silo.row.id)
    const token = await tx.insert('scim_token', { silo_id: silo.row.id })
    await tx.plain.insertInto('scim_token_secret').values({ scim_token_id: token.id, token_hash }).execute()
    return token
  })
  return { ...tokenView(row), bearer_token: scimTokenPrefix + secret }
}

export async function deleteToken(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'scim_token', at, 'modify')
  await change(cx, scope, async (tx) => {
    const token = await tx.lock('scim_token', row)
    await tx.plain.deleteFrom('scim_token_secret').where('scim_token_id', '=', token.id).execute()
    await tx.remove('scim_token', token)
  })
}

/** Of a silo that is being deleted. */
export async function removeScimTokens(tx: Change, silo_id: string): Promise<void> {
  const tokens = tx.read.selectFrom('scim_token').select('id').where('silo_id', '=', silo_id)
  await tx.plain.deleteFrom('scim_token_secret').where('scim_token_id', 'in', tokens).execute()
  await removeAll(tx, 'scim_token', 'silo_id', silo_id)
}

const tokenView = ({ id, time_created, time_expires }: Row<'scim_token'>): ScimToken => ({
  id,
  time_created: time_created.toISOString(),
  time_expires: time_expires?.toISOString() ?? null,
})

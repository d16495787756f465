import type {
  IdentityProvider,
  MetadataSource,
  SamlIdentityProvider,
  SamlIdentityProviderCreate,
} from '@gantry/api/people/identity-provider'
import { sql } from 'kysely'
import { hasFleetRoles } from '@gantry/control-plane/authz/fleet-stake'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Saml, SamlProvider } from '@gantry/control-plane/environment'
import { decodeBase64 } from '@gantry/control-plane/context/base64'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { allow, know, need } from '@gantry/control-plane/lookup/need'
import { type ListQuery, listPage } from '@gantry/control-plane/list/page'
import { invalid, invalidValue, unreadable } from '@gantry/control-plane/context/refusal'
import { resourceView } from '@gantry/control-plane/lookup/views'
import { removeAll } from '@gantry/control-plane/change/children'
import { textOfXml } from './metadata-text.ts'

type Provider = Row<'saml_identity_provider'>

export const samlProviderView = (row: Provider): SamlIdentityProvider =>
  resourceView(row, {
    idp_entity_id: row.idp_entity_id,
    sp_client_id: row.sp_client_id,
    acs_url: row.acs_url,
    slo_url: row.slo_url,
    technical_contact_email: row.technical_contact_email,
    public_cert: row.public_cert,
    group_attribute_name: row.group_attribute_name,
  })

export const listProviders = (cx: Cx, query: ListQuery) =>
  listPage(
    cx,
    'saml_identity_provider',
    query,
    async (at) => {
      const silo = await know(cx, 'silo', at)
      allow(cx, silo, 'list_children', { as: 'identityProviderList' })
      return { where: { silo_id: silo.row.id } }
    },
    (row): IdentityProvider => resourceView(row, { provider_type: 'saml' }),
  )

/** Checks follow the reference's order (A 9.4): the silo's type before the caller, and the document last. */
export async function createProvider(
  cx: Cx,
  siloSelector: string,
  body: SamlIdentityProviderCreate,
): Promise<Provider> {
  const { saml } = cx.services
  const { idp_metadata_source, signing_keypair, group_attribute_name, ...rest } = body
  if (signing_keypair) saml?.checkKeyPair(signing_keypair)
  const silo = await needSiloForProviders(cx, siloSelector)
  if (!saml) throw noSaml()
  const metadata = await textOfMetadata(saml, idp_metadata_source)
  await saml.readMetadata(metadata, body.idp_entity_id)
  const private_key = signing_keypair ? await cx.services.seal.seal(signing_keypair.private_key) : undefined
  return change(cx, { silo_id: silo.id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo.id)
    const provider = await tx.insert('saml_identity_provider', {
      ...rest,
      silo_id: silo.id,
      metadata,
      public_cert: signing_keypair?.public_cert ?? null,
      group_attribute_name: group_attribute_name ?? null,
    })
    if (private_key !== undefined) await writeKey(tx, provider.id, private_key)
    return provider
  })
}

/** Stores the sealed key that signs a provider's requests, instead of an earlier one. */
export async function writeKey(
  tx: Change,
  saml_identity_provider_id: string,
  private_key: string,
): Promise<void> {
  await tx.plain
    .insertInto('saml_signing_key')
    .values({ saml_identity_provider_id, private_key })
    .onConflict((conflict) => conflict.column('saml_identity_provider_id').doUpdateSet({ private_key }))
    .execute()
}

/** A silo with identity providers in which the caller may create one. */
export async function needSiloForProviders(cx: Cx, selector: string): Promise<Row<'silo'>> {
  const found = await need(cx, 'silo', { silo: selector }, 'read')
  const { row: silo } = found
  if (silo.identity_mode === 'local_only')
    throw invalid(
      'cannot create identity providers in this kind of Silo',
      'Create a silo whose users come from an identity provider.',
    )
  const fleet_stake = await hasFleetRoles(cx.db, silo)
  allow(cx, found, 'create_child', { as: 'identityProviderList', fleet_stake })
  return silo
}

export const noSaml = () =>
  invalid(
    'SAML sign-in is not available in the preview',
    'Run a server to use identity providers. The preview supports local users only.',
  )

/** The metadata document itself, fetched if a URL is given. */
export async function textOfMetadata(saml: Saml, source: MetadataSource): Promise<string> {
  if (source.type === 'url') {
    const { bytes, charset } = await saml.fetchMetadata(source.url)
    return textOfXml(bytes, charset)
  }
  const bytes = decodeBase64(source.data)
  if (typeof bytes === 'string') throw invalidValue('data', `error decoding base64: ${bytes}`)
  return textOfXml(bytes)
}

/**
 * A provider with what signing in needs, including its key. One query finds it by both names, so that an
 * unknown silo costs as much as an unknown provider.
 */
export async function findProvider(
  cx: Cx,
  siloName: string,
  name: string,
): Promise<(SamlProvider & Pick<Provider, 'id' | 'generation' | 'silo_id'>) | undefined> {
  const found = await cx.db
    .selectFrom('saml_identity_provider as provider')
    .innerJoin('silo', 'silo.id', 'provider.silo_id')
    .leftJoin('saml_signing_key as key', 'key.saml_identity_provider_id', 'provider.id')
    .select([
      'provider.id',
      'provider.generation',
      'provider.silo_id',
      'provider.metadata',
      'provider.idp_entity_id',
      'provider.sp_client_id',
      'provider.acs_url',
      'provider.group_attribute_name',
      'key.private_key',
    ])
    .where('silo.name', '=', siloName)
    .where('silo.time_deleted', 'is', null)
    .where('provider.name', '=', name)
    .where('provider.time_deleted', 'is', null)
    .executeTakeFirst()
  const sealed = found?.private_key
  return found && { ...found, private_key: sealed ? await cx.services.seal.open(sealed) : null }
}

/**
 * Keeps a provider as it was read until the transaction ends: an assertion that another metadata vouched for, or a
 * deleted provider, opens no session.
 */
export async function holdProvider(
  tx: Change,
  { id, generation }: Pick<Provider, 'id' | 'generation'>,
): Promise<void> {
  const same = await tx.read
    .selectFrom('saml_identity_provider')
    .select('id')
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('time_deleted', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!same) throw unreadable('the identity provider has changed since this sign-in began')
}

/** Deletes the providers of a silo that is being deleted. */
export async function removeProviders(tx: Change, siloId: string): Promise<void> {
  const rows = await tx.read
    .selectFrom('saml_identity_provider')
    .select('id')
    .where('silo_id', '=', siloId)
    .execute()
  await removeParts(
    tx,
    rows.map(({ id }) => id),
  )
  await removeAll(tx, 'saml_identity_provider', 'silo_id', siloId)
}

/** Deletes the keys, used assertions and tests of providers. */
export async function removeParts(tx: Change, ids: readonly string[]): Promise<void> {
  for (const table of ['saml_signing_key', 'saml_used_assertion', 'saml_sign_in_test'] as const)
    await tx.plain
      .deleteFrom(table as 'saml_signing_key')
      .where(sql<boolean>`saml_identity_provider_id = ANY (${ids}::uuid[])`)
      .execute()
}

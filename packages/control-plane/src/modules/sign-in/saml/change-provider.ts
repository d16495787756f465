import type { SamlIdentityProvider } from '@gantry/api/people/identity-provider'
import type { SamlProviderUpdate } from '@gantry/api/people/saml-provider'
import { acsUrlProblem } from '@gantry/api/people/saml.rules'
import type { Patch, Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { aim, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalidValue } from '@gantry/control-plane/context/refusal'
import { noSaml, samlProviderView, textOfMetadata, writeKey } from './providers.ts'
import { needOwnedProvider } from './sign-in-test.ts'

/** Writes what the body names. The right to create the provider includes correcting it. */
export async function updateProvider(
  cx: Cx,
  at: Selectors,
  { idp_metadata_source, signing_keypair, group_attribute_name, name, ...texts }: SamlProviderUpdate,
): Promise<SamlIdentityProvider> {
  const { provider, silo } = await needOwnedProvider(cx, at)
  aim(cx, provider)
  const problem =
    texts.acs_url === provider.acs_url ? undefined : texts.acs_url && acsUrlProblem(texts.acs_url)
  if (problem) throw invalidValue('acs_url', problem)
  const { saml, seal } = cx.services
  if (signing_keypair) {
    if (!saml) throw noSaml()
    saml.checkKeyPair(signing_keypair)
  }
  if (idp_metadata_source && !saml) throw noSaml()
  const metadata = saml && idp_metadata_source ? await textOfMetadata(saml, idp_metadata_source) : undefined
  const private_key = signing_keypair ? await seal.seal(signing_keypair.private_key) : undefined
  const given: Patch<'saml_identity_provider'> = Object.fromEntries(
    Object.entries(texts).filter(([, text]) => text !== null && text !== undefined),
  )
  return change(cx, { silo_id: silo.id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo.id)
    const before = await tx.lock('saml_identity_provider', provider)
    // Here, because another correction may have changed one of the two meanwhile.
    await needOwnEntity(cx, before, texts.idp_entity_id ?? undefined, metadata)
    const after = await tx.update('saml_identity_provider', before, {
      ...given,
      ...(name && { name }),
      ...(metadata !== undefined && { metadata }),
      ...(signing_keypair && { public_cert: signing_keypair.public_cert }),
      ...(typeof group_attribute_name === 'string' && { group_attribute_name: group_attribute_name || null }),
    })
    if (private_key !== undefined) await writeKey(tx, provider.id, private_key)
    return samlProviderView(after)
  })
}

/** Refuses an entity ID other than that of the metadata, with which every sign-in would fail. */
async function needOwnEntity(
  cx: Cx,
  before: Row<'saml_identity_provider'>,
  entityId = before.idp_entity_id,
  metadata = before.metadata,
): Promise<void> {
  if (entityId === before.idp_entity_id && metadata === before.metadata) return
  const { saml } = cx.services
  if (!saml) throw noSaml()
  const { entity_id } = await saml.readMetadata(metadata, entityId)
  if (entity_id !== '' && entity_id !== entityId)
    throw invalidValue(
      'idp_entity_id',
      `the metadata describes the entity ${entity_id}`,
      'Enter this entity ID, or give the metadata of the other provider.',
    )
}

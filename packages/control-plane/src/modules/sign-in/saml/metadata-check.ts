import type { SamlMetadata, SamlMetadataCheck } from '@gantry/api/people/saml-check'
import type { Cx } from '@gantry/control-plane/context/cx'
import { needSiloForProviders, noSaml, textOfMetadata } from './providers.ts'

/** Describes a prospective provider's metadata, with the same refusals as its creation. Saves nothing. */
export async function checkMetadata(
  cx: Cx,
  siloSelector: string,
  { idp_metadata_source, idp_entity_id }: SamlMetadataCheck,
): Promise<SamlMetadata> {
  await needSiloForProviders(cx, siloSelector)
  const { saml } = cx.services
  if (!saml) throw noSaml()
  return saml.readMetadata(await textOfMetadata(saml, idp_metadata_source), idp_entity_id ?? undefined)
}

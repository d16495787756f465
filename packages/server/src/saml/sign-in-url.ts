import { SAML } from '@node-saml/node-saml'
import type { SamlProvider } from '@gantry/control-plane/environment'
import { privateKeyOf } from './key-pair.ts'
import { metadataFacts } from './metadata-facts.ts'

/** The provider's URL with our request in its query, signed if there is a key. */
export async function signInUrl(provider: SamlProvider, relayState: string | undefined): Promise<string> {
  const { certificates, signInUrl: entryPoint } = await metadataFacts(
    provider.metadata,
    provider.idp_entity_id,
  )
  const { private_key } = provider
  const saml = new SAML({
    callbackUrl: provider.acs_url,
    issuer: provider.sp_client_id,
    idpCert: certificates,
    entryPoint,
    // The provider chooses how users authenticate and which name identifies them.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    ...(private_key === null
      ? {}
      : {
          privateKey: privateKeyOf(private_key).export({ type: 'pkcs8', format: 'pem' }),
          signatureAlgorithm: 'sha256' as const,
        }),
  })
  return saml.getAuthorizeUrlAsync(relayState ?? '', undefined, {})
}

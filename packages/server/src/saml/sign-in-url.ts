import { SAML } from '@node-saml/node-saml'
import type { SamlProvider } from '@gantry/control-plane/environment'
import { privateKeyOf } from './key-pair.ts'
import { metadataFacts } from './metadata-facts.ts'

/** The provider's page with our request in its query, signed where there is a key to do so. */
export async function signInUrl(provider: SamlProvider, relayState: string | undefined): Promise<string> {
  const { certificates, signInUrl: entryPoint } = await metadataFacts(provider.metadata)
  const { private_key } = provider
  const saml = new SAML({
    callbackUrl: provider.acs_url,
    issuer: provider.sp_client_id,
    idpCert: certificates,
    entryPoint,
    // How somebody proves who they are, and by what they are named, is the provider's to choose.
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

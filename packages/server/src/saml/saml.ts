import type { Log, Saml } from '@gantry/control-plane/environment'
import type { GuardedGet } from '../egress/guarded-get.ts'
import { fetchMetadataBy } from './fetch-metadata.ts'
import { checkKeyPair } from './key-pair.ts'

/** SAML by node-saml, loaded at the first use: many servers have no identity provider. */
export const nodeSaml = ({ get, log }: { get: GuardedGet; log: Log }): Saml => ({
  fetchMetadata: fetchMetadataBy(get, log),
  checkKeyPair,
  readMetadata: async (metadata, entityId) => {
    const { metadataFacts } = await import('./metadata-facts.ts')
    return (await metadataFacts(metadata, entityId)).description
  },
  signInUrl: async (provider, relayState) =>
    (await import('./sign-in-url.ts')).signInUrl(provider, relayState),
  readResponse: async (provider, response, now) =>
    (await import('./response.ts')).readResponse(provider, response, now),
})

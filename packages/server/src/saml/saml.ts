import type { Saml } from '@gantry/control-plane/environment'
import { fetchMetadata } from './fetch-metadata.ts'
import { checkKeyPair } from './key-pair.ts'

/** SAML by node-saml, which is loaded when somebody first signs in by it: many servers have no identity provider. */
export const nodeSaml: Saml = {
  fetchMetadata,
  checkKeyPair,
  checkMetadata: async (metadata) => {
    const { readMetadata } = await import('./metadata.ts')
    await readMetadata(metadata)
  },
  signInUrl: async (provider, relayState) =>
    (await import('./sign-in-url.ts')).signInUrl(provider, relayState),
  readResponse: async (provider, response, now) =>
    (await import('./response.ts')).readResponse(provider, response, now),
}

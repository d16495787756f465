import { samlXmlMaxBytes } from '@gantry/api/saml.rules'
import { invalid } from '@gantry/control-plane/kernel/refusal'
import type { MetadataFacts } from './questions.ts'
import { read } from './read.ts'

/** Facts by document, least recently used first. */
const known = new Map<string, MetadataFacts>()
/** Documents of up to 64 kB are kept with their facts. */
const MAX_KNOWN = 50

/**
 * Parses an identity provider's metadata; refuses a document that could not be used to sign in. Every sign-in
 * needs the facts, even a refused one, so they are cached.
 */
export async function metadataFacts(metadata: string): Promise<MetadataFacts> {
  if (Buffer.byteLength(metadata) > samlXmlMaxBytes)
    throw invalid(
      `IDP metadata could not be read: it is larger than ${samlXmlMaxBytes} bytes`,
      'Leave out of it what does not describe the provider for SAML 2.0, or the identity providers of others.',
    )
  const facts = known.get(metadata) ?? (await read({ read: 'metadata', text: metadata }, invalid))
  known.delete(metadata)
  known.set(metadata, facts)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  return facts
}

import { samlMetadataMaxBytes } from '@gantry/api/people/saml.rules'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { MetadataFacts } from './questions.ts'
import { read } from './read.ts'

interface Known {
  entityId: string | undefined
  facts: MetadataFacts
}

/** Facts by document, least recently used first. */
const known = new Map<string, Known>()
/** Documents are kept with their facts. */
const maxKnown = 50
/** Characters of all of them: a few large ones are not worth more memory than many common ones. */
const maxKnownChars = 4 * 1024 * 1024

/**
 * Parses an identity provider's metadata; refuses a document that could not be used to sign in. Every sign-in
 * needs the facts, even a refused one, so they are cached. Of several providers in it, the one of the entity id counts.
 */
export async function metadataFacts(metadata: string, entityId: string | undefined): Promise<MetadataFacts> {
  if (Buffer.byteLength(metadata) > samlMetadataMaxBytes)
    throw invalid(
      `IDP metadata could not be read: it is larger than ${samlMetadataMaxBytes} bytes`,
      'Leave out of it what does not describe the provider for SAML 2.0, or the identity providers of others.',
    )
  const before = known.get(metadata)
  const facts =
    before?.entityId === entityId && before
      ? before.facts
      : await read({ read: 'metadata', text: metadata, entity_id: entityId }, invalid)
  known.delete(metadata)
  known.set(metadata, { entityId, facts })
  forgetOldest()
  return facts
}

function forgetOldest(): void {
  let chars = Array.from(known.keys()).reduce((sum, { length }) => sum + length, 0)
  for (const document of known.keys()) {
    if (known.size <= maxKnown && chars <= maxKnownChars) return
    known.delete(document)
    chars -= document.length
  }
}

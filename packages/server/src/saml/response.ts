import { samlXmlMaxBytes } from '@gantry/api/people/saml.rules'
import type { SamlAssertion, SamlProvider } from '@gantry/control-plane/environment'
import { unreadable } from '@gantry/control-plane/context/refusal'
import { metadataFacts } from './metadata-facts.ts'
import { read } from './read.ts'

/** Allowed difference between the provider's clock and ours. */
export const clockSkewMs = 180_000

/** Reads a signed response. Anyone can post one, so it is measured first and parsed in another thread. */
export async function readResponse(
  { metadata, idp_entity_id, sp_client_id, acs_url, group_attribute_name }: SamlProvider,
  response: string,
  now: Date,
): Promise<SamlAssertion> {
  const xml = decode(response)
  const { certificates } = await metadataFacts(metadata, idp_entity_id)
  const provider = { idp_entity_id, sp_client_id, acs_url, group_attribute_name }
  return read({ read: 'response', xml, certificates, provider, now, clockSkewMs }, unreadable)
}

function decode(base64: string): string {
  const bare = base64.replaceAll(/\s/g, '')
  if (bare.length > base64Length(samlXmlMaxBytes))
    throw unreadable(`SAMLResponse is larger than ${samlXmlMaxBytes} bytes`)
  if (!/^[a-z0-9+/]+={0,2}$/i.test(bare)) throw unreadable('SAMLResponse is not base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bare, 'base64'))
  } catch {
    throw unreadable('SAMLResponse is not UTF-8')
  }
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4

import type { SamlMetadata } from '@gantry/api/people/saml-check'
import type { SamlAssertion, SamlProvider } from '@gantry/control-plane/environment'

/** Requests to the thread that parses SAML documents. */
export type Question = MetadataQuestion | ResponseQuestion

export interface MetadataQuestion {
  read: 'metadata'
  text: string
  /** The provider to read, of several. */
  entity_id: string | undefined
}

export interface ResponseQuestion {
  read: 'response'
  xml: string
  /** In PEM; any of them may have signed it. */
  certificates: string[]
  provider: Pick<SamlProvider, 'idp_entity_id' | 'sp_client_id' | 'acs_url' | 'group_attribute_name'>
  now: Date
  clockSkewMs: number
}

/** The facts read from a provider's metadata. */
export interface MetadataFacts {
  /** Certificates in PEM; any of them may have signed a response. */
  certificates: string[]
  /** The URL at which browsers sign in. */
  signInUrl: string
  /** The same facts and more, for display. */
  description: SamlMetadata
}

export type Answer =
  | { result: MetadataFacts | SamlAssertion }
  /** The problem of the document, and the next step. */
  | { unacceptable: string; help: string | undefined }
  /** A bug. */
  | { error: Error }

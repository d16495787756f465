import type { SamlAssertion, SamlProvider } from '@gantry/control-plane/environment'

/** What the thread that reads SAML documents is asked. */
export type Question = MetadataQuestion | ResponseQuestion

export interface MetadataQuestion {
  read: 'metadata'
  text: string
}

export interface ResponseQuestion {
  read: 'response'
  xml: string
  /** In PEM, any of which may have signed it. */
  certificates: string[]
  provider: Pick<SamlProvider, 'idp_entity_id' | 'sp_client_id' | 'acs_url' | 'group_attribute_name'>
  now: Date
  clockSkewMs: number
}

/** What an identity provider's description of itself is read for. */
export interface MetadataFacts {
  /** Certificates in PEM, any of which may have signed what it says. */
  certificates: string[]
  /** Where browsers are sent to sign in. */
  signInUrl: string
}

export type Answer =
  | { result: MetadataFacts | SamlAssertion }
  /** What is wrong with the document, and what to do about it. */
  | { unacceptable: string; help: string | undefined }
  /** A bug. */
  | { error: Error }

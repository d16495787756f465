import { z } from 'zod'
import { entityIdMaxLength, MetadataSource, samlBodyMax } from './identity-provider.ts'
import { redirectMaxLength } from './login.ts'
import { family, get, post } from '../op.ts'
import { EffectiveRoles } from '../base/permission.ts'
import { maybe, Name, named, NameOrId, text, Timestamp, Uuid } from '../schema.ts'

const SamlCertificate = named(
  'SamlCertificate',
  z.object({
    subject: z.string(),
    issuer: z.string(),
    time_valid_from: Timestamp,
    time_expires: Timestamp,
    /** SHA-256 in hexadecimal. */
    fingerprint: z.string(),
  }),
)
export type SamlCertificate = z.infer<typeof SamlCertificate>

const SamlEndpoint = named(
  'SamlEndpoint',
  z.object({
    service: z.enum(['single_sign_on', 'single_logout']),
    /** SAML's name, for example `urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect`. */
    binding: z.string(),
    location: z.string(),
  }),
)
export type SamlEndpoint = z.infer<typeof SamlEndpoint>

/** The facts in an identity provider's metadata. Nothing was saved. */
export const SamlMetadata = named(
  'SamlMetadata',
  z.object({
    /** Empty if the document contains none. */
    entity_id: z.string(),
    /** The URL at which browsers sign in. */
    sign_in_url: z.string(),
    /** The certificates of its signing keys. */
    certificates: z.array(SamlCertificate),
    endpoints: z.array(SamlEndpoint),
    /** Whether it requires signed requests, which need a signing key pair. */
    wants_signed_requests: z.boolean(),
  }),
)
export type SamlMetadata = z.infer<typeof SamlMetadata>

const SamlMetadataCheck = named(
  'SamlMetadataCheck',
  z.object({
    idp_metadata_source: MetadataSource,
    /** The provider to read, of metadata that describes several. */
    idp_entity_id: maybe(text(entityIdMaxLength)),
  }),
)
export type SamlMetadataCheck = z.infer<typeof SamlMetadataCheck>

const TestBegun = named(
  'SamlSignInTestBegun',
  z.object({
    id: Uuid,
    /** The provider's URL for this sign-in. */
    sign_in_url: z.string(),
    time_expires: Timestamp,
  }),
)
export type SamlSignInTestBegun = z.infer<typeof TestBegun>

const SamlAttribute = named('SamlAttribute', z.object({ name: z.string(), values: z.array(z.string()) }))
export type SamlAttribute = z.infer<typeof SamlAttribute>

const TestOutcome = named(
  'SamlSignInTestOutcome',
  z.discriminatedUnion('outcome', [
    z.object({
      outcome: z.literal('accepted'),
      /** Text of the NameID, which becomes the user's name. */
      subject: z.string(),
      user_exists: z.boolean(),
      attributes: z.array(SamlAttribute),
      /** The groups that a sign-in would assign. */
      groups: z.array(z.object({ display_name: z.string(), exists: z.boolean() })),
      /** The roles that the user would then have. */
      roles: EffectiveRoles,
    }),
    z.object({ outcome: z.literal('refused'), message: z.string() }),
  ]),
)
export type SamlSignInTestOutcome = z.infer<typeof TestOutcome>

export const SamlSignInTest = named(
  'SamlSignInTest',
  z.object({
    id: Uuid,
    silo_id: Uuid,
    provider: z.object({ id: Uuid, name: Name }),
    time_expires: Timestamp,
    /** Null until the provider has answered. */
    result: TestOutcome.nullable(),
  }),
)
export type SamlSignInTest = z.infer<typeof SamlSignInTest>

export const samlCheckOps = {
  ...family('extensions', ['saml-identity-provider'], {
    samlMetadataCheck: post('/ext/v1/saml-metadata-checks', {
      changes: [],
      summary: 'Read the metadata of a SAML identity provider without saving it',
      query: z.object({ silo: NameOrId }),
      body: SamlMetadataCheck,
      bodyMax: samlBodyMax,
      returns: SamlMetadata,
      status: 200,
      audited: false,
      onlyReads: true,
    }),
    samlSignInTestBegin: post('/ext/v1/saml-identity-providers/{provider}/sign-in-tests', {
      changes: [],
      summary: 'Start a test sign-in at a SAML identity provider',
      path: z.object({ provider: NameOrId }),
      query: z.object({ silo: maybe(NameOrId) }),
      body: named(
        'SamlSignInTestCreate',
        z.object({
          /** The console path shown after the test; by default the provider's page. */
          redirect_uri: maybe(text(redirectMaxLength)),
        }),
      ),
      returns: TestBegun,
    }),
  }),
  // The result comes from the provider and is no change record, so a page polls for it.
  ...family('extensions', [], {
    samlSignInTestView: get('/ext/v1/saml-sign-in-tests/{test_id}', {
      summary: 'Fetch the result of a test sign-in',
      path: z.object({ test_id: Uuid }),
      returns: SamlSignInTest,
    }),
  }),
}

import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto'
import { selfSigned, type SelfSigned } from './self-signed.ts'

const ns = {
  md: 'urn:oasis:names:tc:SAML:2.0:metadata',
  samlp: 'urn:oasis:names:tc:SAML:2.0:protocol',
  saml: 'urn:oasis:names:tc:SAML:2.0:assertion',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
}
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const minute = 60_000

/** The contents of a response; each test changes the one field it is about. */
export interface Said {
  subject: string
  attributes: Record<string, string[]>
  issuer: string
  audience: string
  recipient: string
  destination: string
  status: string
  id: string
  /** Milliseconds from now. */
  notBefore: number
  notOnOrAfter: number
  confirmedUntil: number
  method: string
}

export interface Signing {
  what: 'assertion' | 'response' | 'both' | 'nothing'
  key: KeyObject
  /** The certificate named in the signature. */
  certificate: string
  algorithm: keyof typeof algorithms
}

const rsa = 'http://www.w3.org/2001/04/xmldsig-more#rsa-'
const digest = 'http://www.w3.org/2001/04/xmlenc#sha'
const algorithms = {
  sha256: { signature: `${rsa}sha256`, digest: `${digest}256` },
  sha512: { signature: `${rsa}sha512`, digest: `${digest}512` },
  sha1: {
    signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
  },
}

export interface IdentityProvider {
  entityId: string
  keys: SelfSigned
  metadata: string
  /** A response as XML, in the canonical form that signatures cover. */
  respond: (said?: Partial<Said>, signing?: Partial<Signing>) => string
  /** The same in the form that a browser posts. */
  post: (said?: Partial<Said>, signing?: Partial<Signing>) => string
}

/**
 * An identity provider that signs arbitrary statements. It shares no code with the verification: responses
 * are written in canonical form directly, and signed by Node.
 */
export function identityProvider(defaults: Pick<Said, 'audience' | 'recipient'>): IdentityProvider {
  const keys = selfSigned('idp.example')
  const entityId = 'https://idp.example/saml'
  const respond: IdentityProvider['respond'] = (said, signing) =>
    responseOf(
      {
        subject: 'alice@example.com',
        attributes: {},
        issuer: entityId,
        ...defaults,
        destination: defaults.recipient,
        status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
        id: `_${randomBytes(16).toString('hex')}`,
        notBefore: -minute,
        notOnOrAfter: 5 * minute,
        confirmedUntil: 5 * minute,
        method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
        ...said,
      },
      {
        what: 'assertion',
        key: keys.privateKey,
        certificate: keys.certificate,
        algorithm: 'sha256',
        ...signing,
      },
    )
  return {
    entityId,
    keys,
    metadata: metadataOf(entityId, keys.certificate),
    respond,
    post: (said, signing) => encoded(respond(said, signing)),
  }
}

export const encoded = (xml: string): string => Buffer.from(xml).toString('base64')

const metadataOf = (entityId: string, certificate: string): string =>
  `<md:EntityDescriptor xmlns:md="${ns.md}" entityID="${entityId}">` +
  '<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">' +
  `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${ns.ds}"><ds:X509Data><ds:X509Certificate>` +
  `${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>` +
  '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post"/>' +
  '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sso?tenant=1"/>' +
  '</md:IDPSSODescriptor></md:EntityDescriptor>'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function responseOf(said: Said, signing: Signing): string {
  const issuer = `<saml:Issuer>${escape(said.issuer)}</saml:Issuer>`
  const bare = assertionOf(said, issuer)
  const assertion =
    signing.what === 'assertion' || signing.what === 'both' ? signed(bare, issuer, said.id, signing) : bare
  const id = `${said.id}-response`
  const outerIssuer = issuer.replace('<saml:Issuer', `<saml:Issuer xmlns:saml="${ns.saml}"`)
  const response =
    `<samlp:Response xmlns:samlp="${ns.samlp}" Destination="${escape(said.destination)}" ID="${id}" ` +
    `IssueInstant="${at(0)}" Version="2.0">${outerIssuer}` +
    `<samlp:Status><samlp:StatusCode Value="${said.status}"></samlp:StatusCode></samlp:Status>` +
    `${assertion}</samlp:Response>`
  return signing.what === 'response' || signing.what === 'both'
    ? signed(response, outerIssuer, id, signing)
    : response
}

const at = (ms: number): string => new Date(Date.now() + ms).toISOString()

function assertionOf(said: Said, issuer: string): string {
  const attributes = Object.entries(said.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escape(name)}">` +
      `${values.map((value) => `<saml:AttributeValue>${escape(value)}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  )
  return (
    `<saml:Assertion xmlns:saml="${ns.saml}" ID="${said.id}" IssueInstant="${at(0)}" Version="2.0">${issuer}` +
    `<saml:Subject><saml:NameID>${escape(said.subject)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${said.method}"><saml:SubjectConfirmationData ` +
    `NotOnOrAfter="${at(said.confirmedUntil)}" Recipient="${escape(said.recipient)}"></saml:SubjectConfirmationData>` +
    `</saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(said.notBefore)}" NotOnOrAfter="${at(said.notOnOrAfter)}">` +
    `<saml:AudienceRestriction><saml:Audience>${escape(said.audience)}</saml:Audience></saml:AudienceRestriction>` +
    `</saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext>` +
    '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>' +
    '</saml:AuthnContext></saml:AuthnStatement>' +
    (attributes.length > 0
      ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`
      : '') +
    '</saml:Assertion>'
  )
}

/** The element with a signature over the rest of it, right after `before`: its issuer, as the schema requires. */
export function signed(
  element: string,
  before: string,
  id: string,
  { key, certificate, algorithm }: Omit<Signing, 'what'>,
): string {
  const uri = algorithms[algorithm]
  const digestValue = createHash(algorithm).update(element).digest('base64')
  const info =
    `<ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${exclusive}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${uri.signature}"></ds:SignatureMethod><ds:Reference URI="#${id}"><ds:Transforms>` +
    `<ds:Transform Algorithm="${ns.ds}enveloped-signature"></ds:Transform>` +
    `<ds:Transform Algorithm="${exclusive}"></ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${uri.digest}"></ds:DigestMethod><ds:DigestValue>${digestValue}</ds:DigestValue>` +
    '</ds:Reference></ds:SignedInfo>'
  // Alone it declares its namespace; inside the signature the declaration would be repeated.
  const alone = info.replace('<ds:SignedInfo', `<ds:SignedInfo xmlns:ds="${ns.ds}"`)
  const value = sign(algorithm, Buffer.from(alone), key).toString('base64')
  const signature =
    `<ds:Signature xmlns:ds="${ns.ds}">${info}<ds:SignatureValue>${value}</ds:SignatureValue><ds:KeyInfo><ds:X509Data>` +
    `<ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`
  return element.replace(before, `${before}${signature}`)
}

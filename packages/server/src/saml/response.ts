import { SAML } from '@node-saml/node-saml'
import type { SamlAssertion, SamlProvider } from '@gantry/control-plane/environment'
import { unreadable } from '@gantry/control-plane/kernel/refusal'
import { readMetadata } from './metadata.ts'
import { elements, parseXml, textOf } from './xml.ts'

/** How far the clocks of the provider and of this server may be apart. */
export const clockSkewMs = 180_000

/** Ways to sign and to digest that nobody has forged; what the library knows besides is SHA-1. */
const signatureAlgorithms = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const digestAlgorithms = [
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/**
 * What a signed response says of somebody. First the document as it came, of which nothing is believed, is looked at
 * for what no good one has; then the library checks signature, audience and times and gives the assertion out of the
 * bytes that were signed; the rest is read from those alone.
 */
export async function readResponse(
  provider: SamlProvider,
  response: string,
  now: Date,
): Promise<SamlAssertion> {
  const xml = decode(response)
  const document = await parseXml(xml, 'SAMLResponse')
  checkDocument(document, provider)
  const { certificates } = await readMetadata(provider.metadata)
  const saml = new SAML({
    callbackUrl: provider.acs_url,
    issuer: provider.sp_client_id,
    audience: provider.sp_client_id,
    idpCert: certificates,
    // Providers sign the response, the assertion in it, or both; every signature that is there has to be good.
    wantAuthnResponseSigned: elements(document, '/samlp:Response/ds:Signature').length > 0,
    wantAssertionsSigned: elements(document, '/samlp:Response/saml:Assertion/ds:Signature').length > 0,
    acceptedClockSkewMs: clockSkewMs,
  })
  const SAMLResponse = Buffer.from(xml).toString('base64')
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse }).catch((error: Error) => {
    throw unreadable(reasonOf(error.message))
  })
  const assertion = profile?.getAssertionXml?.()
  if (!assertion) throw unreadable('SAMLResponse has no assertion')
  return readAssertion(await parseXml(assertion, 'the assertion'), provider, now)
}

function decode(base64: string): string {
  const bare = base64.replaceAll(/\s/g, '')
  if (!/^[a-z0-9+/]+={0,2}$/i.test(bare)) throw unreadable('SAMLResponse is not base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bare, 'base64'))
  } catch {
    throw unreadable('SAMLResponse is not UTF-8')
  }
}

function checkDocument(document: Document, provider: SamlProvider): void {
  const [root] = elements(document, '/samlp:Response')
  if (!root) throw unreadable('SAMLResponse is not a SAML response')
  const issuer = elements(root, './saml:Issuer')[0]
  if (issuer && textOf(issuer) !== provider.idp_entity_id) throw otherIssuer()
  const status = elements(root, './samlp:Status/samlp:StatusCode')[0]?.getAttribute('Value')
  if (status !== success) throw unreadable('the identity provider signed nobody in')
  if (elements(root, './/saml:EncryptedAssertion').length > 0) throw unreadable('the assertion is encrypted')
  // One, and where it belongs: others are there to be taken for the one that was signed.
  const [inside, anywhere] = [elements(root, './saml:Assertion'), elements(root, './/saml:Assertion')]
  if (inside.length !== 1 || anywhere.length !== 1)
    throw unreadable('SAMLResponse has not just one assertion')
  const destination = root.getAttribute('Destination')
  if (destination && destination !== provider.acs_url)
    throw unreadable('SAMLResponse is for another recipient')
  if (elements(root, './/ds:Signature').length === 0) throw unreadable('SAMLResponse is not signed')
  checkAlgorithms(root, './/ds:SignatureMethod', signatureAlgorithms)
  checkAlgorithms(root, './/ds:DigestMethod', digestAlgorithms)
}

function checkAlgorithms(root: Element, path: string, allowed: readonly string[]): void {
  for (const method of elements(root, path)) {
    const algorithm = method.getAttribute('Algorithm') ?? ''
    if (!allowed.includes(algorithm))
      throw unreadable(`signatures by ${JSON.stringify(algorithm)} are not accepted`)
  }
}

const otherIssuer = () => unreadable('SAMLResponse is of another issuer')

/** The library's own sentences carry values and, at times, only where it stumbled. */
function reasonOf(message: string): string {
  if (/audience/i.test(message)) return 'the assertion is for another audience'
  if (/not yet valid|expired/.test(message)) return 'the assertion is not valid at this time'
  return 'the signature is not valid'
}

function readAssertion(document: Document, provider: SamlProvider, now: Date): SamlAssertion {
  const [assertion] = elements(document, '/saml:Assertion')
  const id = assertion?.getAttribute('ID')
  if (!assertion || !id) throw unreadable('the assertion has no ID')
  if (textOf(elements(assertion, './saml:Issuer')[0]) !== provider.idp_entity_id) throw otherIssuer()
  const [subject] = elements(assertion, './saml:Subject')
  if (!subject) throw unreadable('the assertion has no subject')
  const name = textOf(elements(subject, './saml:NameID')[0])
  if (name === '') throw unreadable('the subject has no name ID')
  return {
    id,
    subject: name,
    groups: groupsOf(assertion, provider),
    expires: confirm(subject, provider, now),
  }
}

/** Until when whoever brings the assertion here may be taken for its subject (SAML profiles, 4.1.4.2). */
function confirm(subject: Element, { acs_url }: SamlProvider, now: Date): Date {
  const confirmations = elements(subject, './saml:SubjectConfirmation')
    .filter((confirmation) => confirmation.getAttribute('Method') === bearer)
    .flatMap((confirmation) => elements(confirmation, './saml:SubjectConfirmationData'))
  const forUs = confirmations.filter((data) => data.getAttribute('Recipient') === acs_url)
  if (forUs.length === 0) throw unreadable('the assertion is for another recipient')
  const ends = forUs
    .map((data) => Date.parse(data.getAttribute('NotOnOrAfter') ?? '') + clockSkewMs)
    .filter((end) => end > now.getTime())
  if (ends.length === 0) throw unreadable('the assertion is not valid at this time')
  return new Date(Math.max(...ends))
}

/** Each value may name several, with commas between. */
const groupsOf = (assertion: Element, { group_attribute_name }: SamlProvider): string[] =>
  elements(assertion, './saml:AttributeStatement/saml:Attribute')
    .filter((attribute) => attribute.getAttribute('Name') === group_attribute_name)
    .flatMap((attribute) => elements(attribute, './saml:AttributeValue'))
    .flatMap((value) => textOf(value).split(','))
    .map((group) => group.trim())
    .filter((group) => group !== '')

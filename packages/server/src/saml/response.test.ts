import { expect, test } from 'vitest'
import type { SamlProvider } from '@gantry/control-plane/environment'
import { encoded, identityProvider } from '../testing/identity-provider.ts'
import { selfSigned } from '../testing/self-signed.ts'
import { clockSkewMs, readResponse } from './response.ts'

const acs_url = 'https://gantry.example/login/acme/saml/corporate'
const idp = identityProvider({ audience: 'gantry', recipient: acs_url })
const provider: SamlProvider = {
  metadata: idp.metadata,
  idp_entity_id: idp.entityId,
  sp_client_id: 'gantry',
  acs_url,
  private_key: null,
  group_attribute_name: 'groups',
}
const read = (response: string, over: Partial<SamlProvider> = {}) =>
  readResponse({ ...provider, ...over }, response, new Date())
/** Twice the allowed clock skew. */
const far = 2 * clockSkewMs

test.each(['assertion', 'response', 'both'] as const)(
  'a response with a signed %s is accepted',
  async (what) => {
    const assertion = await read(idp.post({ id: '_abc' }, { what }))
    expect(assertion).toEqual({
      id: '_abc',
      subject: 'alice@example.com',
      groups: [],
      attributes: [],
      expires: expect.any(Date),
    })
    expect(assertion.expires.getTime()).toBeGreaterThan(Date.now() + clockSkewMs)
  },
)

test('strong algorithms and base64 with line breaks are accepted', async () => {
  expect((await read(idp.post({}, { algorithm: 'sha512' }))).subject).toBe('alice@example.com')
  expect((await read(idp.post().replaceAll(/.{76}/g, '$&\r\n'))).subject).toBe('alice@example.com')
})

test('groups are the values of their attribute, split at commas', async () => {
  const attributes = { groups: ['ops, dev', '', ' admins ', ',,'], other: ['not-a-group'] }
  expect((await read(idp.post({ attributes }))).groups).toEqual(['ops', 'dev', 'admins'])
  expect((await read(idp.post({ attributes }), { group_attribute_name: null })).groups).toEqual([])
  expect((await read(idp.post({ attributes }), { group_attribute_name: '__proto__' })).groups).toEqual([])
})

test('clocks may differ a little', async () => {
  const late = idp.post({ notOnOrAfter: -clockSkewMs / 2, confirmedUntil: -clockSkewMs / 2 })
  expect((await read(late)).subject).toBe('alice@example.com')
  expect((await read(idp.post({ notBefore: clockSkewMs / 2 }))).subject).toBe('alice@example.com')
})

const unsigned = /^SAMLResponse is not signed$/
const badSignature = /^the signature is not valid$/
test.each<[what: string, said: Parameters<typeof idp.post>, message: RegExp]>([
  ['nothing signed', [{}, { what: 'nothing' }], unsigned],
  ['SHA-1', [{}, { algorithm: 'sha1' }], /^signatures by ".*rsa-sha1" are not accepted$/],
  ['another issuer', [{ issuer: 'https://evil.example' }], /another issuer/],
  ['no issuer', [{ issuer: ' ' }], /another issuer/],
  ['another audience', [{ audience: 'someone-else' }], /another audience/],
  ['another recipient', [{ recipient: `${acs_url}2`, destination: acs_url }], /another recipient/],
  ['another destination', [{ destination: `${acs_url}2` }], /another recipient/],
  ['expired conditions', [{ notOnOrAfter: -far }], /not valid at this time/],
  ['expired confirmation', [{ confirmedUntil: -far }], /not valid at this time/],
  ['too early', [{ notBefore: far }], /not valid at this time/],
  ['a holder of a key', [{ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }], /another recipient/],
  ['a blank name', [{ subject: ' ' }], /no name ID/],
  ['a failure', [{ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }], /signed nobody in/],
])('%s is refused', async (_, said, message) => {
  await expect(read(idp.post(...said))).rejects.toThrow(message)
})

test.each(['assertion', 'response', 'both'] as const)(
  'a key of another provider is refused, even with its own certificate beside the %s',
  async (what) => {
    const { privateKey: key, certificate } = selfSigned('evil.example')
    await expect(read(idp.post({}, { what, key }))).rejects.toThrow(badSignature)
    await expect(read(idp.post({}, { what, key, certificate }))).rejects.toThrow(badSignature)
  },
)

/** Replaces `what`, which must be present. */
function tampered(xml: string, what: string | RegExp, by: string): string {
  const changed = xml.replace(what, by)
  expect(changed).not.toBe(xml)
  return encoded(changed)
}

test.each<[what: string, from: string | RegExp, to: string]>([
  ['the name', 'alice@example.com', 'admin@example.com'],
  ['the audience', '>gantry<', '>gantry2<'],
  ['the end', /NotOnOrAfter="2/, 'NotOnOrAfter="3'],
  ['the recipient', 'Recipient="https', 'Recipient="http'],
  ['a digit of the signature', /<ds:SignatureValue>./, '<ds:SignatureValue>_'],
  ['the digest', /<ds:DigestValue>.{4}/, '<ds:DigestValue>AAAA'],
  [
    'an attribute',
    '</saml:Assertion>',
    '<saml:AttributeStatement></saml:AttributeStatement></saml:Assertion>',
  ],
])('%s changed after signing is refused', async (_, from, to) => {
  for (const what of ['assertion', 'response', 'both'] as const)
    await expect(read(tampered(idp.respond({}, { what }), from, to))).rejects.toThrow(badSignature)
})

test('a comment in the name does not truncate it', async () => {
  const xml = idp.respond({ subject: 'alice@example.com.evil.example' })
  const { subject } = await read(tampered(xml, 'example.com.evil', 'example.com<!-- -->.evil'))
  expect(subject).toBe('alice@example.com.evil.example')
})

/** Signature wrapping: the signed part is moved aside, and another takes its place. */
const evil = idp
  .respond({ subject: 'admin@example.com', id: '_evil' }, { what: 'nothing' })
  .match(/<saml:Assertion.*<\/saml:Assertion>/)?.[0]
const good = idp.respond({ id: '_good' })
const assertion = /<saml:Assertion.*<\/saml:Assertion>/.exec(good)?.[0] ?? ''
const signature = /<ds:Signature .*<\/ds:Signature>/.exec(good)?.[0] ?? ''
const bare = assertion.replace(signature, '')
const into = (element: string | undefined, more: string) =>
  element?.replace('</saml:Assertion>', `${more}</saml:Assertion>`) ?? ''
const response = (content: string) => good.replace(assertion, content)
const wholeSigned = idp.respond({ id: '_whole' }, { what: 'response' })

test.each<[what: string, xml: string]>([
  ['beside the signed one, before it', response(`${evil}${assertion}`)],
  ['beside the signed one, after it', response(`${assertion}${evil}`)],
  ['around the signed one', response(into(evil, assertion))],
  ['inside the signed one', response(into(assertion, evil ?? ''))],
  ['with the signature, the signed one inside', response(into(evil, `${signature}${bare}`))],
  [
    'with the signature, the signed one in its object',
    response(
      into(evil, signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`)),
    ),
  ],
  ['of the same ID', response(`${evil?.replace('_evil', '_good')}${assertion}`)],
  [
    'in extensions before the signed one',
    response(`<samlp:Extensions>${evil}</samlp:Extensions>${assertion}`),
  ],
  ['and the signed one in extensions', response(`<samlp:Extensions>${assertion}</samlp:Extensions>${evil}`)],
  ['with a borrowed signature', response(into(evil, signature))],
  [
    'in a response around the signed response',
    wholeSigned
      .replace(/<saml:Assertion.*<\/saml:Assertion>/, `${evil}`)
      .replace('</samlp:Response>', `<samlp:Extensions>${wholeSigned}</samlp:Extensions></samlp:Response>`),
  ],
  [
    'in another namespace',
    response(`${evil?.replaceAll('SAML:2.0:assertion', 'SAML:1.0:assertion')}${assertion}`),
  ],
])('a forged assertion %s is refused', async (_, xml) => {
  expect(xml).toContain('admin@example.com')
  await expect(read(encoded(xml))).rejects.toThrow(
    /^(SAMLResponse has not just one assertion|the signature is not valid)$/,
  )
})

const text = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
const laughs = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
test.each<[what: string, xml: string, message: RegExp]>([
  ['an external entity', `${text}${good.replace('alice', '&x;')}`, /declares a document type/],
  ['entities of entities', `${laughs}${good.replace('alice', '&b;')}`, /declares a document type/],
  ['a document type in lower case', `<!doctype r>${good}`, /declares a document type/],
  ['an unknown entity', good.replace('alice', '&alice;'), /.+/],
  ['no XML', 'hello', /^SAMLResponse is not XML$/],
  ['an element that is open', good.slice(0, -5), /.+/],
  ['nothing of SAML', '<html></html>', /^SAMLResponse is not a SAML response$/],
  ['an assertion alone', assertion, /^SAMLResponse is not a SAML response$/],
  ['no assertion', response(''), /^SAMLResponse has not just one assertion$/],
  [
    'an encrypted assertion',
    response('<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
    /encrypted/,
  ],
])('%s is refused', async (_, xml, message) => {
  await expect(read(encoded(xml))).rejects.toThrow(message)
})

test('input that is not text is refused', async () => {
  await expect(read('%%%')).rejects.toThrow('SAMLResponse is not base64')
  await expect(read('')).rejects.toThrow('SAMLResponse is not base64')
  await expect(read(Buffer.from([0xff, 0xfe, 0x3c]).toString('base64'))).rejects.toThrow(
    'SAMLResponse is not UTF-8',
  )
  await expect(read(Buffer.from(good, 'utf16le').toString('base64'))).rejects.toThrow(/^SAMLResponse is not /)
})

const filled = (filling: string) => encoded(good.replace('</saml:Subject>', `</saml:Subject>${filling}`))

test.each<[what: string, response: string, message: string]>([
  ['80 kB of elements', encoded('<a/>'.repeat(20_000)), 'SAMLResponse is larger than 65536 bytes'],
  ['700 kB that are no base64', '%'.repeat(700_000), 'SAMLResponse is larger than 65536 bytes'],
  [
    '64 kB of elements',
    encoded(`<a>${'<a/>'.repeat(16_000)}</a>`),
    'SAMLResponse has more than 1000 elements',
  ],
  ['elements in a signed response', filled('<a/>'.repeat(1000)), 'SAMLResponse has more than 1000 elements'],
  ['attributes', filled('<a b="" c="" d=""/>'.repeat(700)), 'SAMLResponse has more than 2000 attributes'],
  ['elements in one another', encoded('<a>'.repeat(9000)), 'SAMLResponse is nested deeper than 24 elements'],
  [
    'comments',
    filled('<!---->'.repeat(5000)),
    'SAMLResponse has more than 50 comments and processing instructions',
  ],
])('%s are refused before parsing', async (_, response, message) => {
  await expect(read(response)).rejects.toThrow(message)
})

test('a user in 500 groups can sign in', async () => {
  const groups = Array.from({ length: 500 }, (_, index) => `${index}-${'g'.repeat(40)}`)
  expect((await read(idp.post({ attributes: { groups } }))).groups).toEqual(groups)
})

test('the worst document within the limits blocks nobody, and too many at once are refused', async () => {
  await read(idp.post())
  const worst = filled('<a b="" c=""/>'.repeat(900))
  const responses = [worst, ...Array.from({ length: 39 }, () => filled('<a/>'))]
  const all = Promise.all(responses.map((response) => read(response).catch((error: Error) => error.message)))
  // Other work of this thread takes its turn meanwhile.
  let turns = 0
  const others = setInterval(() => (turns += 1), 1)
  const said = await all
  clearInterval(others)
  expect(said.filter((message) => message === 'the signature is not valid')).toHaveLength(33)
  expect(said.filter((message) => message === 'Service Unavailable')).toHaveLength(7)
  expect(turns).toBeGreaterThan(10)
  expect((await read(idp.post())).subject).toBe('alice@example.com')
})

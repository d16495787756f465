import { expect, test } from 'vitest'
import { covers, isFor, readCertificate, readChain } from './read-certificate.ts'
import { factsOf } from './shown.ts'

// Self-signed, for forge.sys.example.com, *.sys.example.com and an address; its common name is another.
const withNames = `-----BEGIN CERTIFICATE-----
MIIBwzCCAWqgAwIBAgIUeRBWR4bd7Ql/KdejTbiv/+zcnPMwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMjMwNTMzNDFaGA8yMTI2
MTAzMDA1MzM0MVowGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABOeHLAluMcbtz+VLnVDAv7l0rW/UGX25BVW8dm1wAC3R
whtfojWIDjBc/+wMGvkg/PoWxjabfWWA0xL9Hl6hgE+jgY8wgYwwHQYDVR0OBBYE
FHMt5L9n7QfMt3NUHAJIQkhLZFtgMB8GA1UdIwQYMBaAFHMt5L9n7QfMt3NUHAJI
QkhLZFtgMA8GA1UdEwEB/wQFMAMBAf8wOQYDVR0RBDIwMIIVZm9yZ2Uuc3lzLmV4
YW1wbGUuY29tghEqLnN5cy5leGFtcGxlLmNvbYcEwAACATAKBggqhkjOPQQDAgNH
ADBEAiA/rllAjw0h+n51yT5VyXntPpBmLszA/3lBHIT3pEIkRgIgQZ4e07lPFeKW
tGtoQkQEk7VVPgr+J1O8Eqg1iawb9eU=
-----END CERTIFICATE-----`

// Self-signed, with the common name plain.example.com only.
const withCommonName = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIUCtQzY4cSerh3J9pjoU3QGrJKLsgwCgYIKoZIzj0EAwIw
KzENMAsGA1UECgwEWWFyZDEaMBgGA1UEAwwRcGxhaW4uZXhhbXBsZS5jb20wIBcN
MjYxMTIzMDUzMzQxWhgPMjEyNjEwMzAwNTMzNDFaMCsxDTALBgNVBAoMBFlhcmQx
GjAYBgNVBAMMEXBsYWluLmV4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEnNIvwvXgREh2cCZ2ktsHW6nuRZKMPrH7bqc7NDCcwvRW5z7dpmzXCbev
w2mOm3xrKanM1Cx41lAwYXxbcatvsKNTMFEwHQYDVR0OBBYEFNw8ZQ/uIc5meMAz
Pm3uo/XqPAHPMB8GA1UdIwQYMBaAFNw8ZQ/uIc5meMAzPm3uo/XqPAHPMA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAIfDCb/DzrD1/mYu3939MY6Q
HrUqMeFqkIKgSwK+L47EAiBU0Pm0KpuHfuwXeQPd21AIBgXaWYJWh04dQfyXw5F8
fw==
-----END CERTIFICATE-----`

test('uses alternative names, or the common name if there are none', () => {
  expect(readCertificate(withNames)?.names).toEqual(['forge.sys.example.com', '*.sys.example.com'])
  expect(readCertificate(withCommonName)?.names).toEqual(['plain.example.com'])
  expect(readCertificate(withNames)).toMatchObject({
    key: 'EC P-256',
    notBefore: new Date('2026-11-23T05:33:41Z'),
    notAfter: new Date('2126-10-30T05:33:41Z'),
  })
})

test('reads only the first block of a chain', () =>
  expect(readCertificate(`${withCommonName}\n${withNames}`)?.names).toEqual(['plain.example.com']))

test('returns undefined for anything but a certificate', () => {
  const cut = withNames.split('\n').toSpliced(4, 2).join('\n')
  const key = withNames.replaceAll('CERTIFICATE', 'PRIVATE KEY')
  const block = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`
  for (const pem of [
    '',
    'junk',
    cut,
    key,
    block(''),
    block('%'),
    block(btoa('junk')),
    block(btoa('\x30\x84\xff\xff\xff\xff')),
  ])
    expect(readCertificate(pem)).toBeUndefined()
})

test.each([
  ['forge.sys.example.com', true],
  ['FORGE.sys.example.com.', true],
  ['*.sys.example.com', true],
  ['*.example.com', false],
  ['*', false],
  ['*.forge.sys.example.com', false],
  ['lagoon.sys.example.com', false],
])('the name %s covers the silo: %s', (name, expected) =>
  expect(covers(name, 'forge.sys.example.com')).toBe(expected),
)

test('accepts a name under any domain while the domain is unknown', () => {
  expect(isFor(['*.sys.example.com'], 'forge', undefined)).toBe(true)
  expect(isFor(['forge.sys.example.com'], 'forge', undefined)).toBe(true)
  expect(isFor(['forge.example.com', 'lagoon.sys.example.com'], 'forge', undefined)).toBe(false)
  expect(isFor(['forge.sys.example.com'], 'forge', 'example.org')).toBe(false)
})

test('a chain is read in full, skipping other PEM blocks', () => {
  const broken = '-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----'
  const chain = readChain([withNames, broken, withCommonName].join('\n'))
  expect(chain.map(({ names }) => names[0])).toEqual(['forge.sys.example.com', 'plain.example.com'])
  expect(readChain('no certificate')).toEqual([])
})

test.each([
  ['2026-11-22T00:00:00Z', 'pending'],
  ['2026-12-01T00:00:00Z', 'valid'],
  ['2126-10-10T00:00:00Z', 'expiring'],
  ['2127-01-01T00:00:00Z', 'expired'],
])('on %s, a certificate of a hundred years is %s', (now, life) => {
  const facts = factsOf(withNames, 'forge', 'example.com', new Date(now))
  expect(facts).toMatchObject({ life, isForSilo: true })
  expect(factsOf(withNames, 'forge', 'other.example', new Date(now))?.isForSilo).toBe(false)
})

test('data that is no certificate has no facts', () =>
  expect(factsOf('no certificate', 'forge', undefined, new Date())).toBe(null))

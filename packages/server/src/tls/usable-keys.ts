import type { KeyObject } from 'node:crypto'
import { canBrowsersUse } from '@gantry/api/people/certificate.rules'
import type { ClientHello } from './client-hello.ts'

const curveNames: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
}
const typeNames: Readonly<Record<string, string>> = {
  rsa: 'RSA',
  'rsa-pss': 'RSA-PSS',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
}

/** The kind of a public key, as people name it. */
export function keyName({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): string {
  const type: string = asymmetricKeyType ?? ''
  if (type !== 'ec') return typeNames[type] ?? type.toUpperCase()
  const curve = details?.namedCurve ?? ''
  return `EC ${curveNames[curve] ?? curve}`.trim()
}

/** Signature schemes (RFC 8446, 4.2.3) with which a key can prove itself. */
const schemes: Readonly<Record<string, readonly number[]>> = {
  RSA: [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601],
  'RSA-PSS': [0x0809, 0x080a, 0x080b],
  'EC P-256': [0x0403],
  'EC P-384': [0x0503],
  'EC P-521': [0x0603],
  Ed25519: [0x0807],
  Ed448: [0x0808],
}
const groups: Readonly<Record<string, number>> = {
  'EC P-256': 23,
  'EC P-384': 24,
  'EC P-521': 25,
}

function canUse(key: string, { signatureSchemes, groups: offered }: ClientHello): boolean {
  const wanted = schemes[key] ?? []
  const group = groups[key]
  return (
    wanted.some((scheme) => signatureSchemes.includes(scheme)) &&
    (group === undefined || offered.includes(group))
  )
}

/**
 * Of certificates, newest first, the one for a handshake: the newest whose key the client can use; otherwise
 * the newest that browsers can. A key that the client cannot use never takes the place of one that it can.
 */
export const chooseFor = <Kept extends { key: string }>(
  kept: readonly Kept[],
  hello: ClientHello,
): Kept | undefined =>
  kept.find(({ key }) => canUse(key, hello)) ?? kept.find(({ key }) => canBrowsersUse(key))

import { totpDigits, totpStepSeconds } from '@gantry/api/people/second-factor.rules'
import { fromBase32 } from './base32.ts'

/** Bytes of a secret: the output size of SHA-1 (RFC 4226, 4). */
export const totpSecretBytes = 20
/** Adjacent steps whose codes are accepted, because clocks differ and people type slowly. */
const drift = 1

export const totpStepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / totpStepSeconds)

/**
 * The code of one step (RFC 6238). SHA-1, because every authenticator app supports it. It uses the platform's
 * HMAC; a library would only add its own SHA-1.
 */
export async function totpCode(secret: string, step: number): Promise<string> {
  const hash = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', fromBase32(secret), hash, false, ['sign'])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter))
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf
  const number = (mac.getUint32(offset) & 0x7fff_ffff) % 10 ** totpDigits
  return String(number).padStart(totpDigits, '0')
}

/** The step of a code, or undefined if the code is not valid now. Constant time. */
export async function totpStepOf(secret: string, code: string, now: Date): Promise<number | undefined> {
  const present = totpStepAt(now)
  let found: number | undefined
  for (let step = present - drift; step <= present + drift; step++)
    if (isSame(await totpCode(secret, step), code)) found = step
  return found
}

/** Compares every character, so that timing does not reveal where they differ. */
function isSame(expected: string, given: string): boolean {
  let differences = expected.length ^ given.length
  for (let at = 0; at < expected.length; at++) differences |= expected.charCodeAt(at) ^ given.charCodeAt(at)
  return differences === 0
}

/** The URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, person: { name: string; silo_name: string }): string {
  const issuer = `Gantry ${person.silo_name}`
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(person.name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

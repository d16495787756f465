import { readCookie, setCookie } from '@gantry/control-plane/authz/cookies'
import { clockSkewMs } from '@gantry/control-plane/context/time'
import type { Cx } from '@gantry/control-plane/context/cx'
import { toHex } from '@gantry/control-plane/context/ids'
import { installationKey } from '@gantry/control-plane/context/installation-key'
import type { Services } from '@gantry/control-plane/context/services'
import { onceEach } from '@gantry/control-plane/context/once-each'

/** The only place that names the cookie. */
const cookieName = 'known-device'
const dayMs = 24 * 3_600_000

/** The account that password attempts count against, whether or not it exists. */
export const accountOf = (siloName: string, username: string): string => `${siloName}/${username}`

/**
 * The device, if this account has signed in from it before: proven by a cookie that only this installation
 * can have written. It grants no access, and only exempts from limits on strangers.
 */
export async function knownDevice({ raw, services }: Cx, account: string): Promise<string | undefined> {
  const [device = '', expires = '', signature = ''] =
    (raw && readCookie(services, raw, cookieName))?.split('.') ?? []
  const bytes = /^[0-9a-f]{64}$/.test(signature)
    ? Uint8Array.from(signature.match(/../g) ?? [], fromHex)
    : undefined
  if (!bytes || !/^[0-9a-f]{32}$/.test(device) || !/^\d{10,12}$/.test(expires)) return undefined
  const leftMs = Number(expires) * 1000 - services.clock().getTime()
  // A longer lifetime than possible was written while the clock was ahead.
  if (leftMs <= 0 || leftMs > lifetimeMs(services) + clockSkewMs) return undefined
  const isOurs = await crypto.subtle.verify(
    'HMAC',
    await keyOf(services),
    bytes,
    signed(account, device, expires),
  )
  return isOurs ? device : undefined
}

/** The cookie that makes the device of a successful sign-in known. */
export async function rememberDevice(cx: Cx, account: string, known: string | undefined): Promise<string[]> {
  const { services, raw } = cx
  const device = known ?? toHex(services.random(16))
  const lifetime = lifetimeMs(services)
  const expires = String(Math.floor((services.clock().getTime() + lifetime) / 1000))
  const key = await keyOf(services)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed(account, device, expires)))
  const value = `${device}.${expires}.${toHex(signature)}`
  return raw ? [setCookie(services, raw, { name: cookieName, value, maxAge: lifetime / 1000 })] : []
}

const lifetimeMs = ({ settings }: Services): number => settings.sign_in.known_device_days * dayMs

const signed = (account: string, device: string, expires: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${cookieName}\n${account}\n${device}\n${expires}`)

const fromHex = (digits: string): number => Number.parseInt(digits, 16)

const keys = onceEach((_services: Services): { key?: CryptoKey } => ({}))

async function keyOf(services: Services): Promise<CryptoKey> {
  const known = keys(services)
  if (known.key) return known.key
  const bytes = new TextEncoder().encode(await installationKey(services, cookieName))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  known.key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
  return known.key
}

import { isIp, type IpNet } from '@gantry/api/ip.rules'
import { isReachable } from './address-classes.ts'
import { EgressRefused } from './refused.ts'
import type { Resolve } from './resolve.ts'

/** Where a request goes: the address in words, and the IP addresses that were checked, to which alone it connects. */
export interface Destination {
  url: URL
  addresses: string[]
}

export interface Checks {
  allowed: readonly IpNet[]
  resolve: Resolve
}

/** Refuses what is no web address, and what does not lead to an address that this server may call. */
export async function destinationOf(text: string, { allowed, resolve }: Checks): Promise<Destination> {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new EgressRefused(`${JSON.stringify(text)} is not a web address`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new EgressRefused('the address carries a name or a password')
  if (!isWebPort(url)) throw new EgressRefused(`port ${url.port} is not one of the web`)
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A name that is not there is answered like one that leads inside, so that nobody learns the names that are.
  const found = isIp(hostname) ? [hostname] : await resolve(hostname)
  const addresses = found.filter((address) => isReachable(address, allowed))
  if (addresses.length === 0) throw new EgressRefused('it does not lead to a public address')
  return { url, addresses }
}

/** Below 1024 every other port belongs to another protocol: mail, shells, directories. */
const isWebPort = ({ port }: URL): boolean => ['', '80', '443'].includes(port) || Number(port) >= 1024

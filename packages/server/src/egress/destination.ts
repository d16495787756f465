import { isIp, type IpNet } from '@gantry/api/base/ip.rules'
import { isReachable } from './address-classes.ts'
import { EgressRefused } from './refused.ts'
import type { Resolve } from './resolve.ts'

/** The target of a request: its URL, and the checked IP addresses, the only ones it connects to. */
export interface Destination {
  url: URL
  addresses: string[]
}

export interface Checks {
  allowed: readonly IpNet[]
  resolve: Resolve
}

/** Refuses anything but a web URL, and hosts whose address this server may not call. */
export async function destinationOf(text: string, { allowed, resolve }: Checks): Promise<Destination> {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new EgressRefused(`${JSON.stringify(text)} is not a web address`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new EgressRefused('the address carries a name or a password')
  if (!isWebPort(url)) throw new EgressRefused(`port ${url.port} is not one of the web`)
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A missing name is answered like one of an internal address, so that existing names are not revealed.
  const found = isIp(hostname) ? [hostname] : await resolve(hostname)
  const addresses = found.filter((address) => isReachable(address, allowed))
  if (addresses.length === 0) throw new EgressRefused('it does not lead to a public address')
  return { url, addresses }
}

/** Every other port below 1024 belongs to another protocol: mail, shells, directories. */
const isWebPort = ({ port }: URL): boolean => ['', '80', '443'].includes(port) || Number(port) >= 1024

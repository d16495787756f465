import type { SwitchLocation } from '@gantry/api/rack-network/address-lot.rules'
import { formatIp, type IpAddress, parseIpNet } from '@gantry/api/base/ip.rules'

/** A router outside the simulated rack, at the other end of a cable. */
export interface Neighbor {
  system_name: string
  /** Its port. */
  link_name: string
  chassis_id: string
  asn: number
  /** It runs at one speed, on all lanes of the port, with one error correction. */
  gigabits: number
  fec: 'rs'
  management_ip: string
  /** Its address on the link, which needs no configuration. */
  link_local: string
}

const router = (number: number, link_name: string): Neighbor => ({
  system_name: `edge-${number}`,
  link_name,
  chassis_id: `02:47:41:00:00:0${number}`,
  // Numbers and addresses for documentation (RFC 5398 and 5737).
  asn: 64_496,
  gigabits: 100,
  fec: 'rs',
  management_ip: `192.0.2.${240 + number}`,
  // Of its chassis id (RFC 4291, appendix A).
  link_local: `fe80::47:41ff:fe00:${number}`,
})

/** Both switches have a cable to both routers, and the other ports have none. */
const cables: Readonly<Record<string, Neighbor>> = {
  'switch0 qsfp0': router(1, 'ethernet-1'),
  'switch0 qsfp1': router(2, 'ethernet-1'),
  'switch1 qsfp0': router(1, 'ethernet-2'),
  'switch1 qsfp1': router(2, 'ethernet-2'),
}

export const neighborAt = (location: SwitchLocation, port: string): Neighbor | undefined =>
  cables[`${location} ${port}`]

/** Networks that the routers announce. */
export const announcedByRouters: readonly string[] = ['0.0.0.0/0', '198.18.0.0/15']

/**
 * The router's address in a network where the rack has one: the lowest that is not the rack's. Undefined if the
 * network has no room for it.
 */
export function neighborAddress(ours: string): string | undefined {
  const net = parseIpNet(ours)
  if (!net) return undefined
  const size = net.version === 4 ? 32 : 128
  if (net.width === size) return undefined
  // Networks of two addresses have no address of their own (RFC 3021 and 6164).
  const lowest = net.width === size - 1 ? net.first : net.first + 1n
  const value = lowest === net.address ? lowest + 1n : lowest
  return formatIp({ version: net.version, value } satisfies IpAddress)
}

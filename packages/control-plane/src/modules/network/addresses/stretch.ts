import { formatIp, type IpAddress } from '@gantry/api/base/ip.rules'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
import type { Row } from '@gantry/control-plane/db/tables'

/** An address with the ports that one use occupies, as their columns have it. */
export type Stretch = Pick<
  Row<'external_ip'>,
  'ip' | 'ip_key' | 'ip_int' | 'ipv6_offset' | 'first_port' | 'last_port'
>

export const portCount = 65_536
const allPorts = { first_port: 0, last_port: portCount - 1 }

const textOf = (ip: IpAddress) => ({ ip: formatIp(ip), ip_key: addressKey(ip) })

/** Of an IPv4 address, by default with all its ports. */
export const ipv4Stretch = (ip_int: number, ports = allPorts): Stretch => ({
  ...textOf({ version: 4, value: BigInt(ip_int) }),
  ip_int,
  ipv6_offset: null,
  ...ports,
})

/** An IPv6 address is used as a whole. */
export const ipv6Stretch = (value: bigint, ipv6_offset: number | null): Stretch => ({
  ...textOf({ version: 6, value }),
  ip_int: null,
  ipv6_offset,
  ...allPorts,
})

import { formatIp, hasHostBits, type IpAddress, parseIp, parseIpNet } from '@gantry/api/base/ip.rules'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import type { NumberRange } from './choose-address.ts'

type Block = Pick<Row<'vpc_subnet'>, 'ipv6_block'>

/** An IPv6 address as its columns have it. */
export interface Ipv6Columns {
  ipv6: string
  ipv6_key: string
  ipv6_offset: number | null
}

/**
 * Offsets in a subnet's block from which the platform selects: the first five are reserved, as those of IPv4 are. A block
 * has 2^64 addresses; up to here they are exact numbers, and more than any subnet has machines.
 */
export const usableOffsets: NumberRange = { first: 5, last: 2 ** 48 }

const firstOf = ({ ipv6_block }: Block): bigint => {
  const net = parseIpNet(ipv6_block)
  if (net?.version !== 6 || hasHostBits(net)) throw new Error(`${ipv6_block} is not an IPv6 network`)
  return net.first
}

/** The address at an offset in the subnet's block. */
export const ipv6At = (subnet: Block, offset: number): Ipv6Columns =>
  columnsOf({ version: 6, value: firstOf(subnet) + BigInt(offset) }, offset)

/** A given address; undefined unless it is one of the subnet's block. */
export function ipv6Of(subnet: Block, text: string): (Ipv6Columns & { isReserved: boolean }) | undefined {
  const ip = parseIp(text)
  const net = parseIpNet(subnet.ipv6_block)
  if (ip?.version !== 6 || !net || ip.value < net.first || ip.value > net.last) return undefined
  const offset = ip.value - net.first
  return {
    ...columnsOf(ip, offset <= usableOffsets.last ? Number(offset) : null),
    isReserved: offset < usableOffsets.first,
  }
}

const columnsOf = (ip: IpAddress, ipv6_offset: number | null): Ipv6Columns => ({
  ipv6: formatIp(ip),
  ipv6_key: addressKey(ip),
  ipv6_offset,
})

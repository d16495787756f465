import type { HostState } from './host-rules.ts'
import { isInBlock } from './host-block.ts'
import { vpcMac } from './names.ts'
import { address, reachableAddresses } from './plan.ts'
import { sharesOf, type VpcRecord } from './vpc-record.ts'

/** The link of a VPC whose record cannot be read. */
export interface IgnoredLink {
  name: string
  number: number
  /** Addresses routed to it, of the driver's own block and others. */
  addresses: readonly string[]
}

type HostShare = HostState['shares'] extends ReadonlyMap<string, infer Share> ? Share : never

/** The host's state for these VPCs together. */
export function hostStateOf(
  records: readonly VpcRecord[],
  ignored: readonly IgnoredLink[],
  base: number,
  linkOf: (record: VpcRecord) => string,
): HostState {
  const links = new Map<string, HostState['links'][number]>()
  const external = new Map<string, { link: string; via: string }>()
  const shares = new Map<string, HostShare>()
  for (const { name, number, addresses } of ignored) {
    const via = address(base, number)
    links.set(name, { name, address: via, mac: vpcMac(number) })
    for (const ip of addresses) if (!isInBlock(base, ip)) external.set(ip, { link: name, via })
  }
  for (const record of records) {
    const [name, via] = [linkOf(record), address(base, record.link)]
    links.set(name, { name, address: via, mac: vpcMac(record.link) })
    for (const ip of reachableAddresses(record)) external.set(ip, { link: name, via })
    for (const {
      key,
      external: { ip, first_port, last_port },
    } of sharesOf(record.network)) {
      const number = record.transit[key]
      if (number !== undefined)
        shares.set(address(base, number), { link: name, via, ip, first_port, last_port })
    }
  }
  return { links: [...links.values()], external, shares, refused: [] }
}

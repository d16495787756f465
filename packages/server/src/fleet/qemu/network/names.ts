import { formatMac } from '@gantry/control-plane/modules/network/addresses/ip'
import type { HostNames } from './host-rules.ts'

/** Names that are global on a host, with the installation's tag; those of interfaces have at most 15 characters. */
export const namesOf = (tag: string): HostNames => ({
  table: `gantry-${tag}`,
  links: `g${tag}v`,
  sinkDevice: `g${tag}n`,
})

export const linkName = ({ links }: HostNames, number: number): string => `${links}${number}`
export const linkNumber = ({ links }: HostNames, name: string): number => Number(name.slice(links.length))

/** The installation of a VPC's link or of a sink device. */
export const tagOfLink = (name: string): string | undefined => /^g([0-9a-f]{6})(?:v\d+|n)$/.exec(name)?.[1]

/** The installation of a table of nftables. */
export const tagOfTable = (name: string): string | undefined => /^gantry-([0-9a-f]{6})$/.exec(name)?.[1]

/** The alias of the sink device: the folder with the installation's records. */
export const aliasOfFolder = (folder: string): string => `${ALIAS}${folder}`
export const folderOfAlias = (alias: string | undefined): string | undefined =>
  alias?.startsWith(ALIAS) ? alias.slice(ALIAS.length) : undefined
const ALIAS = 'gantry '
/** The kernel's limit, in bytes. */
export const ALIAS_MAX = 255

export const vpcNamespace = (tag: string, vpcId: string): string => `gantry-${tag}-v-${vpcId}`
/** Of a machine without interfaces. */
export const machineNamespace = (tag: string, machineId: string): string => `gantry-${tag}-m-${machineId}`

/** The VPC or machine of a namespace of this installation. */
export function readNamespace(tag: string, name: string): { kind: 'v' | 'm'; id: string } | undefined {
  const [, kind, id] = new RegExp(`^gantry-${tag}-([vm])-(.+)$`).exec(name) ?? []
  return id === undefined ? undefined : { kind: kind === 'v' ? 'v' : 'm', id }
}

/** Locally administered addresses of both ends of a link. */
export const hostMac = (link: number): string => formatMac(0x0a_67_00_00_00_00 + link)
export const vpcMac = (link: number): string => formatMac(0x0a_67_01_00_00_00 + link)

import type { IpStackType } from '@gantry/api/network/ip-stack.rules'
import type { IpPool } from './queries.ts'

export type IpVersion = IpPool['ipVersion']

export const ipVersions: readonly IpVersion[] = ['v4', 'v6']
export const versionNames: Readonly<Record<IpVersion, string>> = { v4: 'IPv4', v6: 'IPv6' }

/** Those that an interface with this stack has. */
export const versionsIn = (stack: IpStackType): readonly IpVersion[] =>
  stack === 'dual_stack' ? ipVersions : [stack]

/** Of a valid address. */
export const versionOf = (ip: string): IpVersion => (ip.includes(':') ? 'v6' : 'v4')

import type { IpPool } from './queries.ts'

export type IpVersion = IpPool['ipVersion']

export const ipVersions: readonly IpVersion[] = ['v4', 'v6']
export const versionNames: Readonly<Record<IpVersion, string>> = { v4: 'IPv4', v6: 'IPv6' }

/** Of a valid address. */
export const versionOf = (ip: string): IpVersion => (ip.includes(':') ? 'v6' : 'v4')

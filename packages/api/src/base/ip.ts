import { z } from 'zod'
import { formatIp, formatIpNet, hasHostBits, parseIp, parseIpNet } from './ip.rules.ts'
import { ipMaxLength, named, text } from '../schema.ts'

/** Accepts any spelling, and normalises it. */
export const Ip = text(ipMaxLength, 'invalid IP address syntax')
  .refine((given) => parseIp(given), { error: 'invalid IP address syntax', abort: true })
  .overwrite((given) => {
    const ip = parseIp(given)
    return ip ? formatIp(ip) : given
  })
  .meta({ format: 'ip' })
/** An address of one version. */
const addressOf = (version: 4 | 6) =>
  Ip.refine((given) => parseIp(given)?.version === version, {
    error: `invalid IPv${version} address syntax`,
    abort: true,
  }).meta({ format: `ipv${version}` })
export const Ipv4 = addressOf(4)
export const Ipv6 = addressOf(6)

export const IpNet = named(
  'IpNet',
  text(ipMaxLength, 'invalid IP network')
    .refine((given) => parseIpNet(given), { error: 'invalid IP network', abort: true })
    .overwrite((given) => {
      const net = parseIpNet(given)
      return net ? formatIpNet(net) : given
    }),
)

export const IpVersion = named('IpVersion', z.enum(['v4', 'v6']))

/** A network, not an address in one: host bits must be zero. */
const blockOf = (version: 4 | 6) =>
  text(ipMaxLength, `invalid IPv${version} network`)
    .refine((given) => parseIpNet(given)?.version === version, {
      error: `invalid IPv${version} network`,
      abort: true,
    })
    .refine((given) => !hasBitsBehind(given), {
      error: `invalid IPv${version} network: host bits must be zero`,
      abort: true,
    })
    .overwrite((given) => {
      const net = parseIpNet(given)
      return net ? formatIpNet(net) : given
    })
export const Ipv4Net = named('Ipv4Net', blockOf(4))
export const Ipv6Net = named('Ipv6Net', blockOf(6))

/** Networks of one version, also as an address within them. */
export const netsOf = (version: 4 | 6) =>
  IpNet.refine((given) => parseIpNet(given)?.version === version, `invalid IPv${version} network`)

function hasBitsBehind(text: string): boolean {
  const net = parseIpNet(text)
  return net !== undefined && hasHostBits(net)
}

/** An address, a network or a name, distinguished by its type. */
export const valued = <T extends string, S extends z.ZodType>(type: T, value: S) =>
  z.object({ type: z.literal(type), value })

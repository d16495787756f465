import { z } from 'zod'
import { formatIp, formatIpNet, hasHostBits, parseIp, parseIpNet } from './ip.rules.ts'
import { named } from './schema.ts'

/** Any spelling is taken; from there on the one in which addresses are kept. */
export const Ip = z
  .string()
  .refine((text) => parseIp(text), { error: 'invalid IP address syntax', abort: true })
  .overwrite((text) => {
    const ip = parseIp(text)
    return ip ? formatIp(ip) : text
  })
  .meta({ format: 'ip' })
export const IpNet = named(
  'IpNet',
  z
    .string()
    .refine((text) => parseIpNet(text), { error: 'invalid IP network', abort: true })
    .overwrite((text) => {
      const net = parseIpNet(text)
      return net ? formatIpNet(net) : text
    }),
)

/** A network and not an address in one: nothing may lie behind the width. */
const blockOf = (version: 4 | 6) =>
  z
    .string()
    .refine((text) => parseIpNet(text)?.version === version, {
      error: `invalid IPv${version} network`,
      abort: true,
    })
    .refine((text) => !hasBitsBehind(text), {
      error: `invalid IPv${version} network: there are bits behind the width`,
      abort: true,
    })
    .overwrite((text) => {
      const net = parseIpNet(text)
      return net ? formatIpNet(net) : text
    })
export const Ipv4Net = named('Ipv4Net', blockOf(4))
export const Ipv6Net = named('Ipv6Net', blockOf(6))

function hasBitsBehind(text: string): boolean {
  const net = parseIpNet(text)
  return net !== undefined && hasHostBits(net)
}

/** An address, a network or a name, told apart by its type. */
export const valued = <T extends string, S extends z.ZodType>(type: T, value: S) =>
  z.object({ type: z.literal(type), value })

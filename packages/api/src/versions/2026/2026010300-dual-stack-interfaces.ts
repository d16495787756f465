import {
  address,
  arrayOf,
  type Dated,
  Inexpressible,
  isObject,
  omitted,
  orNull,
  ref,
  reshaped,
} from '../dated.ts'
import { type Schema, string, variants } from '../dated.ts'

/**
 * Interfaces got an address of each IP version; before, they had one address, and transit networks of its version. One
 * with both is shown with its IPv4 address, which it has, and with all its networks, so that a client that sends back
 * what it read loses none.
 */
export const dualStackInterfaces: Dated = {
  version: 2026010300,
  types: {
    InstanceNetworkInterface: {
      schema: (newer) =>
        reshaped(newer, ['ip_stack'], { ip: string, transit_ips: networks }, ['transit_ips']),
      down: (newer) => ({ ...omitted(newer, ['ip_stack']), ...stackDown(newer['ip_stack']) }),
    },
    // Of a probe.
    NetworkInterface: {
      schema: (newer) =>
        reshaped(
          newer,
          ['ip_config'],
          { ip: { type: 'string', format: 'ip' }, subnet: ref('IpNet'), transit_ips: networks },
          ['transit_ips'],
        ),
      down: (newer) => ({ ...omitted(newer, ['ip_config']), ...stackDown(newer['ip_config']) }),
    },
    InstanceNetworkInterfaceCreate: {
      schema: (newer) =>
        reshaped(newer, ['ip_config'], { ip: orNull(address), transit_ips: { ...networks, maxItems: 256 } }, [
          'ip',
          'transit_ips',
        ]),
      up: configUp,
    },
    InstanceNetworkInterfaceAttachment: {
      schema: (newer) =>
        variants(newer, (one, type) => {
          if (type === 'default_ipv4') return [ofType('default')]
          return type === 'default_ipv6' || type === 'default_dual_stack' ? [] : [one]
        }),
      up: (older) => (older['type'] === 'default' ? { type: 'default_ipv4' } : older),
    },
    InstanceCreate: {
      schema: (newer) => {
        const { properties } = newer as { properties: Record<string, Schema> }
        const interfaces = { ...properties['network_interfaces'], default: { type: 'default' } }
        return { ...newer, properties: { ...properties, network_interfaces: interfaces } }
      },
      up: (older) => ({ network_interfaces: { type: 'default_ipv4' }, ...older }),
    },
  },
}

const networks: Schema = { ...arrayOf(ref('IpNet')), default: [] }
const ofType = (type: string): Schema => ({
  type: 'object',
  properties: { type: { type: 'string', const: type } },
  required: ['type'],
})

function stackDown(stack: unknown): Record<string, unknown> {
  if (!isObject(stack) || !isObject(stack['value'])) return {}
  if (stack['type'] !== 'dual_stack') return stack['value']
  const { v4, v6 } = stack['value'] as Record<'v4' | 'v6', { transit_ips?: string[] }>
  return { ...v4, transit_ips: [...(v4.transit_ips ?? []), ...(v6.transit_ips ?? [])] }
}

/** The version of the address is that of the transit networks, or else IPv4. */
function configUp(create: Record<string, unknown>): Record<string, unknown> {
  const { ip, transit_ips } = create
  const given = typeof ip === 'string' ? [ip] : []
  const all = [...given, ...(Array.isArray(transit_ips) ? transit_ips.map(String) : [])]
  const hasV6 = all.some((text) => text.includes(':'))
  if (hasV6 && all.some((text) => !text.includes(':')))
    throw new Inexpressible(
      'an interface has one address, and transit networks of the same IP version',
      'Leave out the networks of the other version.',
    )
  const [value] = given
  return {
    ...omitted(create, ['ip', 'transit_ips']),
    ip_config: {
      type: hasV6 ? 'v6' : 'v4',
      value: {
        ip: value === undefined ? { type: 'auto' } : { type: 'explicit', value },
        ...(transit_ips !== undefined && { transit_ips }),
      },
    },
  }
}

import { arrayOf, type Dated, isObject, omitted, ref, reshaped, string, Untranslatable } from '../dated.ts'

/** Interfaces got an address of each IP version; before, they had one address, and transit networks of its version. */
export const dualStackInterfaces: Dated = {
  version: 2026010300,
  types: {
    InstanceNetworkInterface: {
      schema: (newer) =>
        reshaped(
          newer,
          ['ip_stack'],
          { ip: string, transit_ips: { ...arrayOf(ref('IpNet')), default: [] } },
          ['transit_ips'],
        ),
      down: (newer) => ({ ...omitted(newer, ['ip_stack']), ...stackDown(newer) }),
    },
  },
}

function stackDown({ id, ip_stack: stack }: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(stack) || !isObject(stack['value'])) return {}
  if (stack['type'] !== 'dual_stack') return stack['value']
  const { v4, v6 } = stack['value'] as Record<'v4' | 'v6', { ip: string }>
  throw new Untranslatable(
    400,
    'InvalidRequest',
    `network interface ${String(id)} has the addresses ${v4.ip} and ${v6.ip}, of which this version has one`,
  )
}

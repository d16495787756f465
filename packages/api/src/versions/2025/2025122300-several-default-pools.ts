import { type Dated, variants, without } from '../dated.ts'

const { schema } = without('ip_version')

/**
 * A silo got a default pool of each IP version, and an address a version. Older requests are for IPv4, as those for
 * interfaces are, unless they name a pool or the address itself.
 */
export const severalDefaultPools: Dated = {
  version: 2025122300,
  types: {
    EphemeralIpCreate: { schema, up: ofIpv4 },
    ExternalIpCreate: {
      schema: (newer) => variants(newer, (one, type) => [type === 'ephemeral' ? schema(one) : one]),
      up: (older) => (older['type'] === 'ephemeral' ? ofIpv4(older) : older),
    },
    FloatingIpCreate: { schema, up: ofIpv4 },
  },
}

function ofIpv4(older: Record<string, unknown>): Record<string, unknown> {
  const isGiven = (key: string) => older[key] !== undefined && older[key] !== null
  return isGiven('pool') || isGiven('ip') ? older : { ...older, ip_version: 'v4' }
}

import { type Dated, variants, without } from '../dated.ts'

const version = without('ip_version')

/** A silo got a default pool of each IP version, and an address a version. */
export const severalDefaultPools: Dated = {
  version: 2025122300,
  types: {
    EphemeralIpCreate: version,
    ExternalIpCreate: {
      schema: (newer) => variants(newer, (one, type) => [type === 'ephemeral' ? version.schema(one) : one]),
    },
    FloatingIpCreate: version,
  },
}

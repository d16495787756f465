import {
  address,
  type Dated,
  Inexpressible,
  omitted,
  orNull,
  ref,
  reshaped,
  type Schema,
  variants,
} from '../dated.ts'

/** Requests for addresses got a selector of the pool; before, they named a pool or a version beside each other. */
export const selectionOfPools: Dated = {
  version: 2026010500,
  types: {
    EphemeralIpCreate: { schema: withPool, up: selectorUp },
    ExternalIpCreate: {
      schema: (newer) => variants(newer, (one, type) => [type === 'ephemeral' ? withPool(one) : one]),
      up: (older) => (older['type'] === 'ephemeral' ? selectorUp(older) : older),
    },
    FloatingIpCreate: {
      schema: (newer) =>
        reshaped(newer, ['address_selector'], { ip: orNull(address), ...pool }, ['ip', ...Object.keys(pool)]),
      up: addressUp,
    },
    ProbeCreate: {
      schema: (newer) => reshaped(newer, ['pool_selector'], { ip_pool: pool.pool }, ['ip_pool']),
      up: ({ ip_pool, ...rest }) => ({ ...rest, ...selectorUp({ pool: ip_pool }) }),
    },
  },
}

const pool = { pool: orNull(ref('NameOrId')), ip_version: { ...orNull(ref('IpVersion')), default: null } }

function withPool(newer: Schema): Schema {
  return reshaped(newer, ['pool_selector'], pool, Object.keys(pool))
}

function selectorUp(older: Record<string, unknown>): Record<string, unknown> {
  const { pool: named, ip_version } = older
  if (isGiven(named) && isGiven(ip_version))
    throw new Inexpressible('a pool and an IP version are both given', 'Leave one of them out.')
  const selector = isGiven(named)
    ? { type: 'explicit', pool: named }
    : { type: 'auto', ip_version: ip_version ?? null }
  return { ...omitted(older, ['pool', 'ip_version']), pool_selector: selector }
}

function addressUp(older: Record<string, unknown>): Record<string, unknown> {
  const { ip, pool: named, ip_version, ...rest } = older
  if (!isGiven(ip))
    return { ...rest, address_selector: { type: 'auto', ...selectorUp({ pool: named, ip_version }) } }
  if (isGiven(ip_version))
    throw new Inexpressible('an address and an IP version are both given', 'Leave one of them out.')
  return { ...rest, address_selector: { type: 'explicit', ip, ...(isGiven(named) && { pool: named }) } }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

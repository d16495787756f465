type Json = Record<string, unknown>

/** Parts of the later edition's requests that this platform lacks. */
export class NotOffered extends Error {
  constructor(
    message: string,
    readonly help: string,
  ) {
    super(message)
  }
}

/**
 * The body of a later request as the base edition has it. Only what is well-formed is translated; the rest is left to
 * the base edition's schema, which accepts both forms of what the later one renamed.
 */
export const toBaseBody: Readonly<Record<string, (body: Json) => Json>> = {
  diskCreate: withSource,
  instanceCreate: (body) => ({
    ...withoutGroups(body),
    ...onList(body, 'disks', withSource),
    ...(isJson(body['boot_disk']) && { boot_disk: withSource(body['boot_disk']) }),
    ...onList(body, 'external_ips', withPool),
    ...(isJson(body['network_interfaces']) && {
      network_interfaces: withDefaultInterface(body['network_interfaces']),
    }),
  }),
  instanceUpdate: withoutGroups,
  instanceEphemeralIpAttach: withPool,
  instanceNetworkInterfaceCreate: withAddresses,
  floatingIpCreate: withAddress,
}

/** An instance may name no groups, which changes nothing where there are none. */
function withoutGroups(body: Json): Json {
  const groups = body['multicast_groups']
  if (Array.isArray(groups) && groups.length > 0)
    throw new NotOffered('multicast groups are not supported', 'Leave `multicast_groups` out.')
  return body
}

/** Disks of this platform are distributed, and can be written. */
function withSource(disk: Json): Json {
  const { disk_backend: backend, ...rest } = disk
  if (!isJson(backend)) return disk
  if (backend['type'] === 'local')
    throw new NotOffered(
      'local disks are not supported',
      'Create the disk with a `disk_backend` of type `distributed`.',
    )
  if (backend['type'] !== 'distributed') return disk
  const source = backend['disk_source']
  if (isJson(source) && source['read_only'] === true)
    throw new NotOffered('read-only disks are not supported', 'Leave `read_only` false.')
  return { ...rest, disk_source: source }
}

/** Addresses and transit networks of IPv4; without any, the base edition chooses one. */
function withAddresses(create: Json): Json {
  const { ip_config: config, ...rest } = create
  if (!isJson(config)) return create
  if (config['type'] !== 'v4')
    throw new NotOffered(
      'network interfaces with IPv6 addresses are not supported',
      'Ask for an `ip_config` of type `v4`, or leave it out.',
    )
  const stack = isJson(config['value']) ? config['value'] : {}
  const ip = isJson(stack['ip']) ? stack['ip'] : {}
  return {
    ...rest,
    ...(ip['type'] === 'explicit' && { ip: ip['value'] }),
    ...(stack['transit_ips'] !== undefined && { transit_ips: stack['transit_ips'] }),
  }
}

function withDefaultInterface(given: Json): Json {
  const { type } = given
  if (type === 'create') return { ...given, ...onList(given, 'params', withAddresses) }
  if (type === 'default_ipv4') return { type: 'default' }
  if (type !== 'default_ipv6' && type !== 'default_dual_stack') return given
  throw new NotOffered(
    'network interfaces with IPv6 addresses are not supported',
    'Ask for `default_ipv4`, or leave `network_interfaces` out.',
  )
}

/** Pools of this platform are not selected by version. */
function withPool(address: Json): Json {
  const { pool_selector: selector, ...rest } = address
  if (!isJson(selector)) return address
  if (selector['type'] === 'explicit') return { ...rest, pool: selector['pool'] }
  if (selector['type'] !== 'auto') return address
  if (selector['ip_version'] === 'v6')
    throw new NotOffered('addresses of IPv6 are not given out', 'Ask for `v4`, or name a pool.')
  return rest
}

/** Versions before 2026-01-16 call it a selector. */
function withAddress(floating: Json): Json {
  const { address_allocator, address_selector, ...rest } = floating
  const given = address_allocator ?? address_selector
  if (!isJson(given)) return floating
  if (given['type'] === 'explicit') return { ...rest, ip: given['ip'] }
  return given['type'] === 'auto' ? withPool({ ...rest, pool_selector: given['pool_selector'] }) : floating
}

const onList = (body: Json, key: string, translate: (item: Json) => Json): Json => {
  const list = body[key]
  return Array.isArray(list)
    ? { [key]: list.map((item: unknown) => (isJson(item) ? translate(item) : item)) }
    : {}
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

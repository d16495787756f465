/** What an installation holds, in the words of the API, with names for ids and without times. */

type Fields = Record<string, unknown>
/** Reads an answer; undefined if it was refused. */
export type Read = (path: string) => Promise<unknown>

interface Reading {
  /** What is read, with the names of its places. */
  path: string
  /** Of each object of a list, what is read of it; `:name` and `:id` are its own. */
  each?: readonly Reading[]
}

const list = (path: string, each: readonly Reading[] = []): Reading => ({ path, each })
const one = (path: string): Reading => ({ path })

const tags = (kind: string): Reading => one(`/ext/v1/tags/:id?kind=${kind}`)
const inVpc = 'project=:project&vpc=:name'
const ofProject: readonly Reading[] = [
  one('/v1/projects/:name/policy'),
  tags('project'),
  list('/v1/disks?project=:name', [tags('disk')]),
  list('/v1/instances?project=:name', [
    one('/v1/instances/:name/disks?project=:project'),
    one('/v1/instances/:name/external-ips?project=:project'),
    one('/v1/instances/:name/external-subnets?project=:project'),
    one('/v1/instances/:name/ssh-public-keys?project=:project'),
    one('/v1/instances/:name/multicast-groups?project=:project'),
    one('/v1/network-interfaces?project=:project&instance=:name'),
    tags('instance'),
  ]),
  list('/v1/floating-ips?project=:name', [tags('floating-ip')]),
  list('/v1/snapshots?project=:name', [tags('snapshot')]),
  list('/ext/v1/instance-snapshots?project=:name', [tags('instance-snapshot')]),
  list('/v1/images?project=:name', [tags('image')]),
  list('/v1/affinity-groups?project=:name', [one('/v1/affinity-groups/:name/members?project=:project')]),
  list('/v1/anti-affinity-groups?project=:name', [
    one('/v1/anti-affinity-groups/:name/members?project=:project'),
  ]),
  list('/v1/external-subnets?project=:name'),
  list('/v1/vpcs?project=:name', [
    tags('vpc'),
    one(`/v1/vpc-firewall-rules?${inVpc}`),
    list(`/v1/vpc-subnets?${inVpc}`),
    list(`/v1/vpc-routers?${inVpc}`, [one('/v1/vpc-router-routes?project=:project&vpc=:vpc&router=:name')]),
    list(`/v1/internet-gateways?${inVpc}`, [
      one('/v1/internet-gateway-ip-pools?project=:project&vpc=:vpc&gateway=:name'),
      one('/v1/internet-gateway-ip-addresses?project=:project&vpc=:vpc&gateway=:name'),
    ]),
  ]),
  list('/experimental/v1/probes?project=:name'),
  list('/ext/v1/schedules?project=:name'),
  list('/ext/v1/instance-templates?project=:name'),
  list('/ext/v1/metric-queries?project=:name'),
  list('/ext/v1/service-accounts?project=:name'),
  list('/ext/v1/shared-views?project=:name'),
  one('/ext/v1/protections?project=:name'),
  one('/ext/v1/recycle-bin?project=:name'),
]

/** What a silo's admin reads of it, who is one of the fleet. */
const readings: readonly Reading[] = [
  list('/v1/projects', ofProject),
  list('/v1/images', [tags('image')]),
  list('/v1/users'),
  list('/v1/groups', [one('/v1/users?group=:id')]),
  one('/v1/policy'),
  one('/v1/auth-settings'),
  one('/ext/v1/auth-settings'),
  one('/ext/v1/four-eyes-settings'),
  one('/ext/v1/recycle-bin-settings'),
  one('/ext/v1/tag-demand'),
  list('/v1/certificates'),
  list('/v1/multicast-groups', [one('/v1/multicast-groups/:name/members')]),
  list('/ext/v1/service-accounts'),
  list('/ext/v1/instance-templates'),
  list('/ext/v1/metric-queries'),
  list('/ext/v1/shared-views'),
  one('/v1/system/policy'),
  list('/v1/system/silos', [
    one('/v1/system/silos/:name/policy'),
    one('/v1/system/silos/:name/quotas'),
    one('/v1/system/silos/:name/ip-pools'),
    one('/v1/system/silos/:name/subnet-pools'),
    one('/v1/system/identity-providers?silo=:name'),
    one('/v1/system/users?silo=:name'),
    one('/v1/system/scim/tokens?silo=:name'),
    one('/ext/v1/system/silos/:name/projects'),
    one('/ext/v1/system/silos/:name/certificates'),
  ]),
  list('/v1/system/ip-pools', [
    one('/v1/system/ip-pools/:name/ranges'),
    one('/v1/system/ip-pools/:name/silos'),
  ]),
  list('/v1/system/subnet-pools', [
    one('/v1/system/subnet-pools/:name/members'),
    one('/v1/system/subnet-pools/:name/silos'),
  ]),
  list('/v1/system/networking/address-lot', [one('/v1/system/networking/address-lot/:name/blocks')]),
  one('/v1/system/networking/loopback-address'),
  list('/v1/system/networking/bgp'),
  list('/v1/system/networking/bgp-announce-set', [
    one('/v1/system/networking/bgp-announce-set/:name/announcement'),
  ]),
  list('/v1/system/networking/switch-port-settings', [
    one('/v1/system/networking/switch-port-settings/:name'),
  ]),
  one('/v1/system/hardware/switch-port'),
  one('/v1/system/networking/allow-list'),
  one('/v1/system/networking/inbound-icmp'),
  one('/v1/system/networking/settings'),
  list('/v1/system/hardware/sleds'),
  list('/v1/alert-receivers', [one('/v1/webhook-secrets?receiver=:id')]),
  one('/ext/v1/system/usage-prices'),
  one('/v1/system/update/target-release'),
  list('/v1/system/update/trust-roots'),
  list('/v1/system/support-bundles'),
  one('/ext/v1/faults'),
]

/** The answers by what they answer, and the names of the ids in them. */
export interface State {
  answers: Readonly<Record<string, unknown>>
  /** Ids by the kind and name of their objects, where exactly one has those. */
  ids: ReadonlyMap<string, string>
  names: ReadonlyMap<string, string>
}

export async function stateOf(readOne: Read): Promise<State> {
  const read = inTurns(readOne)
  const raw = new Map<string, unknown>()
  const names = new Map<string, string>()
  const visit = async ({ path, each = [] }: Reading, places: Fields): Promise<void> => {
    const full = path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(places[key])))
    const shown = path.replaceAll(/:(\w+)/g, (_, key: string) => String(places[key === 'id' ? 'name' : key]))
    const isPaged =
      each.length > 0 || !/[/](?:policy|quotas|protections)|tags[/]|settings|firewall/.test(path)
    let answer = await read(isPaged ? `${full}${full.includes('?') ? '&' : '?'}limit=1000` : full)
    if (answer === undefined && isPaged) answer = await read(full)
    if (answer === undefined) return
    raw.set(shown.replaceAll(suffix, '-(drawn)'), answer)
    const items = (answer as { items?: Fields[] }).items ?? []
    for (const { id, ...item } of items) {
      const name = nameOf(item)
      const kind = shown.replace(/\?.*/, '').split('/').at(-1)
      if (typeof id === 'string' && name !== undefined) names.set(id, `${kind} ${shown} ${name}`)
    }
    const level = /^\/v1\/(project|vpc)s/.exec(path)?.[1]
    await Promise.all(
      items.flatMap((item) => {
        const own = { ...places, ...item, name: nameOf(item), ...(level && { [level]: nameOf(item) }) }
        return each.map((reading) => visit(reading, own))
      }),
    )
  }
  await Promise.all(readings.map((reading) => visit(reading, {})))
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  const answers = Object.fromEntries([...raw].map(([key, answer]) => [key, plain(answer, names)]))
  return { answers, ids, names }
}

/** Few at once, as the server answers a user in turns. */
function inTurns(read: Read): Read {
  let free = 6
  const waiting: (() => void)[] = []
  return async (path) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await read(path)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

const nameOf = (item: Fields): string | undefined => {
  const { name, display_name, serial, cidr } = item
  const found = name ?? display_name ?? serial ?? cidr
  if (typeof found === 'string') return found
  const { baseboard } = item as { baseboard?: { serial?: string } }
  return baseboard?.serial
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
/** What each installation draws for itself, or counts. */
const drawn = new Set([
  'mac',
  'vni',
  'generation',
  'etag',
  'next_page',
  'hash',
  // Of the installation's own certificates and keys.
  'cert',
  'fingerprint',
  'root_role',
])
/** At the end of the names of disks and snapshots that an instance brings along. */
const suffix = /-[0-9a-f]{6}(?![0-9a-z])/g
/** Of a VPC, which draws its own. */
const localPrefix = /\bfd[0-9a-f]{2}:[0-9a-f]{1,4}:[0-9a-f]{1,4}(?=:)/g

/** A value that two installations share if they hold the same. */
function plain(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    if (time.test(value)) return '(time)'
    return value
      .replaceAll(localPrefix, '(prefix)')
      .replaceAll(suffix, '-(drawn)')
      .replaceAll(
        uuid,
        (id) => `(${names.get(id)?.replace(/.* /, '').replaceAll(suffix, '-(drawn)') ?? 'id'})`,
      )
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => JSON.stringify(plain(item, names)))
    return items.toSorted().map((item) => JSON.parse(item) as unknown)
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value as Fields)
      .filter(([key]) => !drawn.has(key) && !key.startsWith('time_') && !key.endsWith('_at'))
      .map(([key, inner]) => [key, plain(inner, names)]),
  )
}

/** Where two states differ, in lines. */
export function differences(one: State, other: State): string[] {
  const keys = [...new Set([...Object.keys(one.answers), ...Object.keys(other.answers)])].toSorted()
  return keys.flatMap((key) => inside(key, one.answers[key], other.answers[key]))
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function inside(where: string, one: unknown, other: unknown): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  if (Array.isArray(one) && Array.isArray(other)) {
    const there = new Set(other.map((item) => JSON.stringify(item)))
    const here = new Set(one.map((item) => JSON.stringify(item)))
    const left = one.filter((item) => !there.has(JSON.stringify(item)))
    const right = other.filter((item) => !here.has(JSON.stringify(item)))
    if (left.length !== right.length || left.length === 0)
      return [
        ...left.map((item) => `${where}: only in the original: ${JSON.stringify(item)}`),
        ...right.map((item) => `${where}: only in the replay: ${JSON.stringify(item)}`),
      ]
    return left.flatMap((item, index) => inside(`${where} ${labelOf(item)}`, item, right[index]))
  }
  if (isFields(one) && isFields(other) && !Array.isArray(one) && !Array.isArray(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      inside(`${where}.${key}`, one[key], other[key]),
    )
  return [`${where}: ${JSON.stringify(one)}, but ${JSON.stringify(other)} in the replay`]
}

const labelOf = (item: unknown): string => (isFields(item) ? (nameOf(item) ?? '') : String(item))

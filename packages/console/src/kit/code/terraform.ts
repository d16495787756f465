import { toWire } from '@gantry/api/client/camel'
import { recordKeys } from '@gantry/api/client/records.gen'
import { isUuid } from '@gantry/api/base/name.rules'
import type { CodeRequest } from './request.ts'

/**
 * Requests as resources of the Terraform provider of this API, by its documentation. Its resources name others by id, so
 * names become data sources. An object that is on screen also gets the block that imports it.
 */
export function terraformOf({ op, input, shown }: CodeRequest): string | undefined {
  const fields = wireOf(input.body ?? shown)
  const name = op.name.replace(/View$/, 'Create')
  const write = resources[name]
  if (!write || (input.body === undefined && !shown)) return undefined
  const file = new File()
  const given = { ...wireOf(input.path), ...wireOf(input.query) }
  const attributes = write(fields, given, file)
  if (!attributes) return undefined
  const [type, values] = attributes
  const label = file.resource(type, nameOf(fields), values)
  if (shown) file.blocks.push(`import {\n  to = ${label}\n  id = ${text(String(shown['id']))}\n}`)
  return file.blocks.join('\n\n')
}

type Fields = Record<string, unknown>
const nameOf = ({ name }: Fields): string => (typeof name === 'string' ? name : 'this')
const wireOf = (value: unknown): Fields =>
  (value === undefined ? {} : JSON.parse(JSON.stringify(toWire(value, recordKeys)))) as Fields

/** An expression that is written without quotes. */
class Reference {
  readonly expression: string
  constructor(expression: string) {
    this.expression = expression
  }
}

/** The blocks of a configuration: what a resource names comes before it. */
class File {
  readonly blocks: string[] = []
  readonly #known = new Set<string>()

  /** The id of an object: as given, or from a data source that finds it by name. */
  id(type: string, nameOrId: unknown, scope: Fields = {}): Reference | string | undefined {
    if (typeof nameOrId !== 'string') return undefined
    if (isUuid(nameOrId)) return nameOrId
    const label = `${type}.${labelOf(nameOrId)}`
    if (!this.#known.has(label)) {
      this.#known.add(label)
      this.blocks.push(block(`data ${text(type)} ${text(labelOf(nameOrId))}`, { ...scope, name: nameOrId }))
    }
    return new Reference(`data.${label}.id`)
  }

  resource(type: string, name: string, attributes: Fields): string {
    const label = labelOf(name)
    this.blocks.push(block(`resource ${text(type)} ${text(label)}`, attributes))
    return `${type}.${label}`
  }

  project(name: unknown) {
    return this.id('oxide_project', name)
  }
}

type Attributes = readonly [type: string, attributes: Fields]
type Writer = (fields: Fields, given: Fields, file: File) => Attributes | undefined

const common = ({ name, description }: Fields): Fields => ({ name, description })

/** The project of a request, or of an object that knows it by id. */
const inProject = (fields: Fields, given: Fields, file: File): Fields => ({
  project_id: fields['project_id'] ?? file.project(given['project']),
})
const inVpc = (fields: Fields, given: Fields, file: File): Fields => ({
  vpc_id: fields['vpc_id'] ?? file.id('oxide_vpc', given['vpc'], { project_name: given['project'] }),
})
const ofProject = (project: unknown): Fields => ({ project_name: project })

const resources: Readonly<Record<string, Writer>> = {
  projectCreate: (fields) => ['oxide_project', common(fields)],
  currentUserSshKeyCreate: (fields) => [
    'oxide_ssh_key',
    { ...common(fields), public_key: fields['public_key'] },
  ],
  diskCreate: (fields, given, file) => ['oxide_disk', diskOf(fields, inProject(fields, given, file))],
  snapshotCreate: (fields, given, file) => [
    'oxide_snapshot',
    {
      ...inProject(fields, given, file),
      ...common(fields),
      disk_id: fields['disk_id'] ?? file.id('oxide_disk', fields['disk'], ofProject(given['project'])),
    },
  ],
  imageCreate: (fields, given, file) => {
    const source = fields['source'] as Fields | undefined
    return source?.['type'] === 'snapshot'
      ? [
          'oxide_image',
          {
            ...inProject(fields, given, file),
            ...common(fields),
            os: fields['os'],
            version: fields['version'],
            source_snapshot_id: source['id'],
          },
        ]
      : undefined
  },
  floatingIpCreate: (fields, given, file) => {
    // Of an object, address and pool are its own; of a request, within.
    const from = (fields['address_allocator'] ?? {}) as Fields
    return [
      'oxide_floating_ip',
      {
        ...inProject(fields, given, file),
        ...common(fields),
        ip: fields['ip'] ?? from['ip'],
        ip_pool_id: fields['ip_pool_id'] ?? poolId(from['pool_selector'] ?? from, file),
        // Without a pool of its own: there can be a default one of each version.
        ip_version: (from['pool_selector'] as Fields | undefined)?.['ip_version'],
      },
    ]
  },
  antiAffinityGroupCreate: (fields, given, file) => [
    'oxide_anti_affinity_group',
    { ...inProject(fields, given, file), ...common(fields), policy: fields['policy'] },
  ],
  vpcCreate: (fields, given, file) => [
    'oxide_vpc',
    {
      ...inProject(fields, given, file),
      ...common(fields),
      dns_name: fields['dns_name'],
      ipv6_prefix: fields['ipv6_prefix'],
    },
  ],
  vpcSubnetCreate: (fields, given, file) => [
    'oxide_vpc_subnet',
    {
      ...inVpc(fields, given, file),
      ...common(fields),
      ipv4_block: fields['ipv4_block'],
      ipv6_block: fields['ipv6_block'],
    },
  ],
  vpcRouterCreate: (fields, given, file) => [
    'oxide_vpc_router',
    { ...inVpc(fields, given, file), ...common(fields) },
  ],
  vpcRouterRouteCreate: (fields, given, file) => [
    'oxide_vpc_router_route',
    {
      vpc_router_id:
        fields['vpc_router_id'] ??
        file.id('oxide_vpc_router', given['router'], {
          ...ofProject(given['project']),
          vpc_name: given['vpc'],
        }),
      ...common(fields),
      destination: fields['destination'],
      target: fields['target'],
    },
  ],
  internetGatewayCreate: (fields, given, file) => [
    'oxide_vpc_internet_gateway',
    { ...inVpc(fields, given, file), ...common(fields) },
  ],
  ipPoolSiloLink: (fields, given, file) => [
    'oxide_ip_pool_silo_link',
    {
      ip_pool_id: file.id('oxide_ip_pool', given['pool']),
      silo_id: file.id('oxide_silo', fields['silo']),
      is_default: fields['is_default'],
    },
  ],
  instanceCreate: instanceOf,
}

/** The operations that have a resource. */
export const terraformOperations: readonly string[] = Object.keys(resources)

function diskOf(fields: Fields, parent: Fields): Fields {
  const backend = fields['disk_backend'] as Fields | undefined
  const source = backend?.['disk_source'] as Fields | undefined
  return {
    ...parent,
    ...common(fields),
    size: fields['size'],
    // Of an object, the source is beside it; of a request, within.
    // The provider's default is the other type.
    disk_type: (backend?.['type'] ?? fields['disk_type']) === 'local' ? 'local' : undefined,
    source_image_id: source?.['image_id'] ?? fields['image_id'],
    source_snapshot_id: source?.['snapshot_id'] ?? fields['snapshot_id'],
    block_size: source
      ? source['block_size']
      : (fields['image_id'] ?? fields['snapshot_id'])
        ? undefined
        : fields['block_size'],
  }
}

function instanceOf(fields: Fields, given: Fields, file: File): Attributes {
  const project = given['project']
  const parent = inProject(fields, given, file)
  const named = (type: string, name: unknown) => file.id(type, name, ofProject(project))
  const attached = (disk: Fields): unknown =>
    disk['type'] === 'create'
      ? new Reference(`${file.resource('oxide_disk', nameOf(disk), diskOf(disk, parent))}.id`)
      : named('oxide_disk', disk['name'])
  const boot = fields['boot_disk'] as Fields | null | undefined
  const bootDisk = boot ? attached(boot) : fields['boot_disk_id']
  const disks = [...(bootDisk ? [bootDisk] : []), ...listOf(fields['disks']).map(attached)]
  const groups = listOf(fields['anti_affinity_groups']) as unknown[]
  const keys = listOf(fields['ssh_public_keys']) as unknown[]
  return [
    'oxide_instance',
    {
      ...parent,
      ...common(fields),
      host_name: fields['hostname'],
      ncpus: fields['ncpus'],
      memory: fields['memory'],
      start_on_create: fields['start'],
      auto_restart_policy: fields['auto_restart_policy'],
      boot_disk_id: bootDisk,
      disk_attachments: some(disks),
      anti_affinity_groups: some(groups.map((group) => named('oxide_anti_affinity_group', group))),
      ssh_public_keys: some(keys.map((key) => file.id('oxide_ssh_key', key))),
      external_ips: some(listOf(fields['external_ips']).map((ip) => externalIp(ip, named, file))),
      network_interfaces: some(interfacesOf(fields['network_interfaces'], project, file)),
      user_data: fields['user_data'] || undefined,
    },
  ]
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])
const some = (items: readonly unknown[]): readonly unknown[] | undefined =>
  items.length > 0 ? items : undefined

/** Of the pool that a request names. */
const poolId = (selector: unknown, file: File): unknown =>
  file.id('oxide_ip_pool', (selector as Fields | undefined)?.['pool'])

const externalIp = (
  { type, pool_selector, floating_ip }: Fields,
  named: (type: string, name: unknown) => unknown,
  file: File,
): Fields => ({
  type,
  id: type === 'floating' ? named('oxide_floating_ip', floating_ip) : poolId(pool_selector, file),
})

/** The address of IPv4 that a request chooses. */
function addressIn(config: unknown): unknown {
  const { value } = (config ?? {}) as { value?: { ip?: { value?: string } } }
  return value?.ip?.value
}

/** The default interface is the first one of the project's default VPC. */
function interfacesOf(given: unknown, project: unknown, file: File): Fields[] {
  const { type, params } = (given ?? {}) as { type?: string; params?: Fields[] }
  const all =
    type === 'create' || type === 'none'
      ? (params ?? [])
      : [{ name: 'net0', description: '', vpc_name: 'default', subnet_name: 'default' }]
  return all.map((each: Fields) => ({
    name: each['name'],
    description: each['description'],
    vpc_id: file.id('oxide_vpc', each['vpc_name'], ofProject(project)),
    subnet_id: file.id('oxide_vpc_subnet', each['subnet_name'], {
      ...ofProject(project),
      vpc_name: each['vpc_name'],
    }),
    ip_address: addressIn(each['ip_config']),
  }))
}

/** A name of Terraform's: letters, digits, dashes and underscores, and no digit first. */
function labelOf(name: string): string {
  const label = name.replaceAll(/[^\w-]/g, '_')
  return /^[a-z_]/i.test(label) ? label : `_${label}`
}

/** A string, in which nothing is a template. */
const text = (value: string): string =>
  JSON.stringify(value).replaceAll(/[$%]\{/g, (opening) => opening[0] + opening)

function valueOf(value: unknown, indent: string): string {
  if (value instanceof Reference) return value.expression
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => valueOf(item, `${indent}  `))
    const short = `[${items.join(', ')}]`
    if (short.length < 70 && !short.includes('\n')) return short
    return `[\n${items.map((item) => `${indent}  ${item},\n`).join('')}${indent}]`
  }
  if (value !== null && typeof value === 'object')
    return `{\n${attributesOf(value as Fields, `${indent}  `)}${indent}}`
  return String(value)
}

/**
 * Attributes one a line, their equals signs below each other as `terraform fmt` writes them; a value of several lines
 * ends the group that it is in.
 */
function attributesOf(fields: Fields, indent: string): string {
  const entries = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, valueOf(value, indent)])
  const groups: [string, string][][] = [[]]
  for (const entry of entries) {
    groups.at(-1)?.push(entry)
    if (entry[1].includes('\n')) groups.push([])
  }
  return groups
    .flatMap((group) => {
      const plain = group.filter(([, value]) => !value.includes('\n'))
      const width = Math.max(0, ...plain.map(([name]) => name.length))
      return group.map(([name, value]) =>
        value.includes('\n')
          ? `${indent}${name} = ${value}\n`
          : `${indent}${name.padEnd(width)} = ${value}\n`,
      )
    })
    .join('')
}

const block = (head: string, fields: Fields): string => `${head} {\n${attributesOf(fields, '  ')}}`

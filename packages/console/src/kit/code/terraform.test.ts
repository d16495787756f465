import * as op from '@gantry/api/client/operations.gen'
import { expect, test } from 'vitest'
import { terraformOf, terraformOperations } from './terraform.ts'

/** What an attribute takes; `?` after it is optional. */
type Schema = Readonly<Record<string, string | readonly [Schema]>>

const ofProject: Schema = { project_id: 'string', name: 'string', description: 'string' }
const ofVpc: Schema = { vpc_id: 'string', name: 'string', description: 'string' }
const hop: Schema = { type: 'string', value: 'string?' }

/** The resources as the provider documents them, without what only its answers have, and without timeouts. */
const resources: Readonly<Record<string, Schema>> = {
  oxide_project: { name: 'string', description: 'string' },
  oxide_ssh_key: { name: 'string', description: 'string', public_key: 'string' },
  oxide_disk: {
    ...ofProject,
    size: 'number',
    block_size: 'number?',
    disk_type: 'string?',
    source_image_id: 'string?',
    source_snapshot_id: 'string?',
  },
  oxide_snapshot: { ...ofProject, disk_id: 'string' },
  oxide_image: { ...ofProject, os: 'string', version: 'string', source_snapshot_id: 'string' },
  oxide_floating_ip: { ...ofProject, ip: 'string?', ip_pool_id: 'string?', ip_version: 'string?' },
  oxide_anti_affinity_group: { ...ofProject, policy: 'string' },
  oxide_vpc: { ...ofProject, dns_name: 'string', ipv6_prefix: 'string?' },
  oxide_vpc_subnet: { ...ofVpc, ipv4_block: 'string', ipv6_block: 'string?' },
  oxide_vpc_router: ofVpc,
  oxide_vpc_router_route: {
    vpc_router_id: 'string',
    name: 'string',
    description: 'string',
    destination: [hop],
    target: [hop],
  },
  oxide_vpc_internet_gateway: { ...ofVpc, cascade_delete: 'boolean?' },
  oxide_ip_pool_silo_link: { ip_pool_id: 'string', silo_id: 'string', is_default: 'boolean' },
  oxide_instance: {
    ...ofProject,
    host_name: 'string',
    memory: 'number',
    ncpus: 'number',
    anti_affinity_groups: 'strings?',
    auto_restart_policy: 'string?',
    boot_disk_id: 'string?',
    disk_attachments: 'strings?',
    external_ips: 'addresses?',
    network_interfaces: 'interfaces?',
    ssh_public_keys: 'strings?',
    start_on_create: 'boolean?',
    user_data: 'string?',
  },
}

/** Lists of objects, by the names above. */
const nested: Readonly<Record<string, Schema>> = {
  addresses: { type: 'string', id: 'string?' },
  interfaces: {
    name: 'string',
    description: 'string',
    vpc_id: 'string',
    subnet_id: 'string',
    ip_address: 'string?',
  },
}

const inProject: Schema = { name: 'string', project_name: 'string' }
const dataSources: Readonly<Record<string, Schema>> = {
  oxide_project: { name: 'string' },
  oxide_ssh_key: { name: 'string' },
  oxide_silo: { name: 'string' },
  oxide_ip_pool: { name: 'string' },
  oxide_disk: inProject,
  oxide_floating_ip: inProject,
  oxide_anti_affinity_group: inProject,
  oxide_vpc: inProject,
  oxide_vpc_subnet: { ...inProject, vpc_name: 'string' },
  oxide_vpc_router: { ...inProject, vpc_name: 'string' },
}

class Expression {
  readonly path: string
  constructor(path: string) {
    this.path = path
  }
}
type Value = string | number | boolean | Expression | Value[] | { [name: string]: Value }
interface Block {
  kind: string
  labels: string[]
  attributes: Record<string, Value>
}

/** Reads what the console writes of the language: blocks, attributes, literals, references, lists and objects. */
function blocksOf(text: string): Block[] {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[\w.-]+|[{}[\]=,]/g) ?? []
  let at = 0
  const next = (expected?: string): string => {
    const token = tokens[at++] ?? 'the end'
    if (expected !== undefined && token !== expected) throw new Error(`${token} instead of ${expected}`)
    return token
  }
  const object = (): Record<string, Value> => {
    const attributes: Record<string, Value> = {}
    while (tokens[at] !== '}') {
      const name = next()
      expect(attributes, name).not.toHaveProperty(name)
      next('=')
      attributes[name] = value()
    }
    next('}')
    return attributes
  }
  const list = (): Value[] => {
    const items: Value[] = []
    while (tokens[at] !== ']') {
      items.push(value())
      if (tokens[at] !== ']') next(',')
    }
    next(']')
    return items
  }
  const value = (): Value => {
    const token = next()
    if (token === '{') return object()
    if (token === '[') return list()
    if (token.startsWith('"')) return JSON.parse(token) as string
    if (token === 'true' || token === 'false') return token === 'true'
    return /^\d+$/.test(token) ? Number(token) : new Expression(token)
  }
  const blocks: Block[] = []
  while (at < tokens.length) {
    const kind = next()
    const labels: string[] = []
    while (tokens[at] !== '{') labels.push(JSON.parse(next()) as string)
    next('{')
    blocks.push({ kind, labels, attributes: object() })
  }
  return blocks
}

function check(where: string, given: Record<string, Value>, schema: Schema): void {
  const required = Object.entries(schema).flatMap(([name, type]) =>
    typeof type === 'string' && type.endsWith('?') ? [] : [name],
  )
  expect(Object.keys(schema), `attributes of ${where}`).toEqual(expect.arrayContaining(Object.keys(given)))
  expect(Object.keys(given), `required attributes of ${where}`).toEqual(expect.arrayContaining(required))
  for (const [name, value] of Object.entries(given)) checkValue(`${where}.${name}`, value, schema[name])
}

function checkValue(where: string, value: Value, type: Schema[string] = ''): void {
  if (typeof type !== 'string') return check(where, value as Record<string, Value>, type[0])
  const plain = type.replace('?', '')
  const inner = nested[plain]
  if (inner) for (const item of value as Value[]) check(where, item as Record<string, Value>, inner)
  else if (plain === 'strings') for (const item of value as Value[]) checkValue(where, item, 'string')
  // Every reference of ours is to an id.
  else if (value instanceof Expression) expect([where, plain]).toEqual([where, 'string'])
  else expect([where, typeof value]).toEqual([where, plain])
}

const id = '3e2c6e84-bed8-4c94-afc3-1032082d6a90'
const query = { project: 'atlas' }
const inVpc = { ...query, vpc: 'default' }
const named = { name: 'web', description: '' }
const blank = { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } }
const disk = { ...named, size: 2 ** 30, diskBackend: blank }

/** A request of each operation that has a resource, or several. */
const requests: Readonly<Record<string, readonly object[]>> = {
  projectCreate: [{ body: named }],
  currentUserSshKeyCreate: [{ body: { ...named, publicKey: 'ssh-ed25519 AAAA' } }],
  diskCreate: [
    { query, body: disk },
    { query, body: { ...disk, diskBackend: { type: 'local' } } },
    {
      query,
      body: { ...disk, diskBackend: { type: 'distributed', diskSource: { type: 'image', imageId: id } } },
    },
    {
      query,
      body: {
        ...disk,
        diskBackend: { type: 'distributed', diskSource: { type: 'snapshot', snapshotId: id } },
      },
    },
  ],
  snapshotCreate: [{ query, body: { ...named, disk: 'data' } }],
  imageCreate: [{ query, body: { ...named, os: 'Debian', version: '13', source: { type: 'snapshot', id } } }],
  floatingIpCreate: [
    { query, body: { ...named, addressAllocator: { type: 'explicit', ip: '198.51.100.7' } } },
    {
      query,
      body: { ...named, addressAllocator: { type: 'auto', poolSelector: { type: 'auto', ipVersion: 'v4' } } },
    },
    {
      query,
      body: {
        ...named,
        addressAllocator: { type: 'auto', poolSelector: { type: 'explicit', pool: 'outer' } },
      },
    },
  ],
  antiAffinityGroupCreate: [{ query, body: { ...named, policy: 'fail', failureDomain: 'sled' } }],
  vpcCreate: [{ query, body: { ...named, dnsName: 'web', ipv6Prefix: 'fd00::/48' } }],
  vpcSubnetCreate: [{ query: inVpc, body: { ...named, ipv4Block: '10.1.0.0/24' } }],
  vpcRouterCreate: [{ query: inVpc, body: named }],
  vpcRouterRouteCreate: [
    {
      query: { ...inVpc, router: 'own' },
      body: {
        ...named,
        destination: { type: 'ip_net', value: '0.0.0.0/0' },
        target: { type: 'internet_gateway', value: 'outer' },
      },
    },
    {
      query: { ...inVpc, router: 'own' },
      body: { ...named, destination: { type: 'ip', value: '10.0.0.9' }, target: { type: 'drop' } },
    },
  ],
  internetGatewayCreate: [{ query: inVpc, body: named }],
  ipPoolSiloLink: [{ path: { pool: 'outer' }, body: { silo: 'demo', isDefault: false } }],
  instanceCreate: [
    {
      query,
      body: {
        ...named,
        hostname: 'web',
        ncpus: 2,
        memory: 2 ** 30,
        start: true,
        autoRestartPolicy: 'best_effort',
        antiAffinityGroups: ['apart'],
        bootDisk: { type: 'create', ...disk, name: 'web-boot' },
        disks: [{ type: 'attach', name: 'data' }],
        externalIps: [
          { type: 'ephemeral', poolSelector: { type: 'explicit', pool: 'outer' } },
          { type: 'floating', floatingIp: 'door' },
        ],
        networkInterfaces: {
          type: 'create',
          params: [
            { ...named, vpcName: 'default', subnetName: 'default', ipConfig: { type: 'v4', value: {} } },
          ],
        },
        sshPublicKeys: ['laptop'],
        userData: 'I2Nsb3VkLWNvbmZpZw==',
      },
    },
    {
      query,
      body: {
        ...named,
        hostname: 'web',
        ncpus: 2,
        memory: 2 ** 30,
        start: false,
        disks: [],
        networkInterfaces: { type: 'default_ipv4' },
      },
    },
  ],
}

test('every operation with a resource has a request here', () => {
  expect(Object.keys(requests).toSorted()).toEqual([...terraformOperations].toSorted())
})

const cases = Object.entries(requests).flatMap(([name, all]) =>
  all.map((input, index) => ({ name, number: index + 1, input })),
)
const refs = new Map(Object.values(op).map((ref) => [ref.name as string, ref]))

test.each(cases)('$name, request $number, is what the provider documents', ({ name, input }) => {
  const ref = refs.get(name)!
  const blocks = blocksOf(terraformOf({ op: ref, input }) ?? '')
  expect(blocks.at(-1)?.kind).toBe('resource')
  const declared = new Set<string>()
  const references: [name: string, before: string[]][] = []
  const look = (value: Value): void => {
    if (value instanceof Expression) references.push([value.path.replace(/\.id$/, ''), [...declared]])
    else if (typeof value === 'object') for (const inner of Object.values(value)) look(inner)
  }
  for (const { kind, labels, attributes } of blocks) {
    const [type = '', label = ''] = labels
    const schema = (kind === 'data' ? dataSources : resources)[type]
    expect(schema, `${kind} ${type}`).toBeDefined()
    check(`${kind} ${type}`, attributes, schema ?? {})
    // What is named comes before it.
    look(attributes)
    declared.add(kind === 'data' ? `data.${type}.${label}` : `${type}.${label}`)
  }
  expect(references.filter(([to, before]) => !before.includes(to))).toEqual([])
})

test('what a schema lacks, and what it demands, is found', () => {
  const { oxide_snapshot: schema = {} } = resources
  expect(() => check('a snapshot', { name: 'x' }, schema)).toThrow(/required attributes/)
  const whole = { project_id: 'p', name: 'x', description: '', disk_id: 'd' }
  expect(() => check('a snapshot', { ...whole, size: 1 }, schema)).toThrow(/attributes of a snapshot/)
  expect(() => check('a snapshot', { ...whole, name: 1 }, schema)).toThrow(/number/)
  expect(() => check('a snapshot', whole, schema)).not.toThrow()
})

import { peerTimers } from '@gantry/api/rack-network/switch-port.rules'
import { baseVersion, type Range } from '@gantry/api/versions/version.rules'
import { GiB } from './case-values.ts'
import { certificateFor } from './certificates.ts'
import { uplinkLink } from './rack-network.ts'
import { publishersRoot } from './updates.ts'

/**
 * A life of every resource, as clients of each version write it: what is sent is in the shape of the version, by hand, and
 * says from which version on it has that shape. Nothing here asks the code that translates.
 */
export interface Step extends Range {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{name}` is the id that the step named so had in its answer. */
  path: string
  body?: Body
  /** The name of the id in the answer. */
  keep?: string
  /** The state that the object reaches before the next step. */
  until_state?: string
}
type Body = object | Dated
/** The shape of a body from each of these versions on. */
type Dated = { dated: readonly (readonly [version: number, body: object])[] }

const dated = (...shapes: readonly (readonly [number, object])[]): Dated => ({ dated: shapes })
export const bodyAt = (body: Body, version: number): object =>
  'dated' in body ? (body.dated.findLast(([since]) => since <= version)?.[1] ?? {}) : body

const get = (path: string, more: Partial<Step> = {}): Step => ({ method: 'GET', path, ...more })
const post = (path: string, body?: Body, more: Partial<Step> = {}): Step => ({
  method: 'POST',
  path,
  ...(body && { body }),
  ...more,
})
const put = (path: string, body: Body, more: Partial<Step> = {}): Step => ({
  method: 'PUT',
  path,
  body,
  ...more,
})
const del = (path: string, more: Partial<Step> = {}): Step => ({ method: 'DELETE', path, ...more })

const called = (name: string) => ({ name, description: 'of a life' })
const renamed = { description: 'changed' }
const at = 'project=life'
const localStorage = 2025_12_03_00
const severalPools = 2025_12_23_00
const dualStack = 2026_01_03_00
const selectors = 2026_01_05_00
const allocators = 2026_01_16_00
const externalSubnets = 2026_01_16_01
const plainAllocators = 2026_01_22_01
const prefixLengths = 2026_03_23_00
const initial = 2025_11_20_00
const joins = 2026_01_08_00
const jumbo = 2026_06_05_00
const slots = 2026_03_06_01
const peerIds = 2026_02_13_01
const siloSubnetPools = 2026_02_06_00
const namedSubnetPools = 2026_02_09_00
const assignments = 2026_06_11_00
const stableBundles = 2026_08_17_00

/** The common life of what is created, read, listed, changed and deleted by the same path. */
const crud = (list: string, name: string, body: Body, more: readonly Step[] = []): Step[] => {
  const [path = '', query] = list.split('?')
  const one = `${path}/${name}${query ? `?${query}` : ''}`
  return [post(list, body), get(list), get(one), ...more, del(one)]
}

const blank = { type: 'blank', block_size: 512 }
const disk = (name: string, source: object = blank) =>
  dated(
    [baseVersion, { ...called(name), size: GiB, disk_source: source }],
    [
      localStorage,
      { ...called(name), size: GiB, disk_backend: { type: 'distributed', disk_source: source } },
    ],
  )
const diskIn = (name: string, version: number) => ({ type: 'create', ...bodyAt(disk(name), version) })
const machine = { ...called('web'), hostname: 'web', ncpus: 1, memory: GiB, start: false }

const instance = dated(
  [
    baseVersion,
    {
      ...machine,
      boot_disk: diskIn('boot', baseVersion),
      network_interfaces: { type: 'default' },
      external_ips: [{ type: 'ephemeral' }],
    },
  ],
  [
    initial,
    {
      ...machine,
      boot_disk: diskIn('boot', initial),
      network_interfaces: {
        type: 'create',
        params: [{ ...called('net0'), vpc_name: 'default', subnet_name: 'default', ip: '172.30.0.9' }],
      },
      external_ips: [{ type: 'ephemeral', pool: 'external' }],
      cpu_platform: null,
      multicast_groups: [],
    },
  ],
  [
    localStorage,
    {
      ...machine,
      boot_disk: diskIn('boot', localStorage),
      network_interfaces: { type: 'default' },
      external_ips: [{ type: 'ephemeral', pool: null }],
      cpu_platform: null,
    },
  ],
  [
    severalPools,
    {
      ...machine,
      boot_disk: diskIn('boot', localStorage),
      external_ips: [{ type: 'ephemeral', ip_version: 'v4' }],
    },
  ],
  [
    dualStack,
    {
      ...machine,
      boot_disk: diskIn('boot', localStorage),
      network_interfaces: { type: 'default_ipv4' },
      external_ips: [{ type: 'ephemeral', ip_version: 'v4' }],
    },
  ],
  [
    selectors,
    {
      ...machine,
      boot_disk: diskIn('boot', localStorage),
      network_interfaces: {
        type: 'create',
        params: [
          {
            ...called('net0'),
            vpc_name: 'default',
            subnet_name: 'default',
            ip_config: {
              type: 'v4',
              value: { ip: { type: 'explicit', value: '172.30.0.9' }, transit_ips: [] },
            },
          },
        ],
      },
      external_ips: [{ type: 'ephemeral', pool_selector: { type: 'auto', ip_version: 'v4' } }],
    },
  ],
  [
    jumbo,
    {
      ...machine,
      boot_disk: diskIn('boot', localStorage),
      network_interfaces: { type: 'default_ipv4' },
      external_ips: [{ type: 'ephemeral', pool_selector: { type: 'explicit', pool: 'external' } }],
      cpu_platform: null,
      enable_jumbo_frames: false,
    },
  ],
)

const resized = { ncpus: 2, memory: GiB }
const instanceUpdate = dated(
  [baseVersion, resized],
  [initial, { ...resized, auto_restart_policy: null, boot_disk: 'boot', cpu_platform: null }],
  [
    jumbo,
    {
      ...resized,
      auto_restart_policy: 'never',
      boot_disk: 'boot',
      cpu_platform: null,
      enable_jumbo_frames: false,
    },
  ],
)

const floating = (selector: object) => ({ ...called('float'), ...selector })
const floatingIp = dated(
  [baseVersion, floating({})],
  [initial, floating({ pool: 'external' })],
  [severalPools, floating({ ip_version: 'v4' })],
  [selectors, floating({ address_selector: { type: 'auto', pool_selector: { type: 'auto' } } })],
  [
    allocators,
    floating({
      address_allocator: { type: 'auto', pool_selector: { type: 'explicit', pool: 'external' } },
    }),
  ],
)
const ephemeral = dated(
  [baseVersion, {}],
  [initial, { pool: 'external' }],
  [severalPools, { ip_version: 'v4' }],
  [selectors, { pool_selector: { type: 'auto', ip_version: 'v4' } }],
)

const second = { ...called('net1'), vpc_name: 'default', subnet_name: 'side' }
const networkInterface = dated(
  [baseVersion, { ...second, ip: '172.31.0.9' }],
  [initial, { ...second, ip: '172.31.0.9', transit_ips: ['10.0.0.0/8'] }],
  [
    dualStack,
    {
      ...second,
      ip_config: {
        type: 'v4',
        value: { ip: { type: 'explicit', value: '172.31.0.9' }, transit_ips: ['10.0.0.0/8'] },
      },
    },
  ],
)

const ofProject: readonly Step[] = [
  post('/v1/projects', called('life')),
  get('/v1/projects'),
  get('/v1/projects/life'),
  put('/v1/projects/life', renamed),
  get('/v1/projects/life/policy'),
  put('/v1/projects/life/policy', { role_assignments: [] }),
]

const storage: readonly Step[] = [
  post(`/v1/disks?${at}`, disk('data'), { keep: 'disk' }),
  get(`/v1/disks?${at}`),
  get(`/v1/disks/data?${at}`),
  get('/v1/disks/{disk}'),
  post(`/v1/disks?${at}`, disk('import', { type: 'importing_blocks', block_size: 512 })),
  post(`/v1/disks/import/bulk-write-start?${at}`),
  post(`/v1/disks/import/bulk-write?${at}`, { offset: 0, base64_encoded_data: btoa('x'.repeat(512)) }),
  post(`/v1/disks/import/bulk-write-stop?${at}`),
  post(`/v1/disks/import/finalize?${at}`, { snapshot_name: 'imported' }),
  del(`/v1/disks/import?${at}`),
  post(
    `/v1/snapshots?${at}`,
    { ...called('copy'), disk: 'data' },
    { keep: 'snapshot', until_state: 'ready' },
  ),
  get(`/v1/snapshots?${at}`),
  get(`/v1/snapshots/copy?${at}`),
  post(`/v1/images?${at}`, {
    ...called('life-image'),
    os: 'Linux',
    version: '1',
    source: { type: 'snapshot', id: '{snapshot}' },
  }),
  get(`/v1/images?${at}`),
  get(`/v1/images/life-image?${at}`),
  post(`/v1/images/life-image/promote?${at}`),
  get('/v1/images'),
  post(`/v1/images/life-image/demote?${at}`),
  // Of a snapshot, whose source had to say whether it is read-only in one version.
  post(
    `/v1/disks?${at}`,
    dated(
      [
        baseVersion,
        { ...called('again'), size: GiB, disk_source: { type: 'snapshot', snapshot_id: '{snapshot}' } },
      ],
      [
        localStorage,
        {
          ...called('again'),
          size: GiB,
          disk_backend: {
            type: 'distributed',
            disk_source: { type: 'snapshot', snapshot_id: '{snapshot}' },
          },
        },
      ],
      [
        2026_01_30_01,
        {
          ...called('again'),
          size: GiB,
          disk_backend: {
            type: 'distributed',
            disk_source: { type: 'snapshot', snapshot_id: '{snapshot}', read_only: false },
          },
        },
      ],
    ),
  ),
  del(`/v1/disks/again?${at}`),
  del(`/v1/images/life-image?${at}`),
  del(`/v1/snapshots/imported?${at}`),
  del(`/v1/snapshots/copy?${at}`),
]

const rule = (protocols: readonly object[]) => ({
  ...called('pings'),
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'vpc', value: 'own' }],
  filters: { protocols },
})
const inOwn = `${at}&vpc=own`
const inDefault = `${at}&vpc=default`
const network: readonly Step[] = [
  post(`/v1/vpcs?${at}`, { ...called('own'), dns_name: 'own' }),
  get(`/v1/vpcs?${at}`),
  get(`/v1/vpcs/own?${at}`),
  put(`/v1/vpcs/own?${at}`, renamed),
  put(`/v1/vpc-firewall-rules?${inOwn}`, { rules: [rule([{ type: 'icmp', value: { icmp_type: 8 } }])] }),
  get(`/v1/vpc-firewall-rules?${inOwn}`),
  post(`/v1/vpc-subnets?${inOwn}`, { ...called('back'), ipv4_block: '10.20.0.0/24' }),
  get(`/v1/vpc-subnets?${inOwn}`),
  get(`/v1/vpc-subnets/back?${inOwn}`),
  put(`/v1/vpc-subnets/back?${inOwn}`, renamed),
  post(`/v1/vpc-routers?${inOwn}`, called('paths')),
  get(`/v1/vpc-routers?${inOwn}`),
  get(`/v1/vpc-routers/paths?${inOwn}`),
  put(`/v1/vpc-routers/paths?${inOwn}`, renamed),
  ...crud(
    `/v1/vpc-router-routes?${inOwn}&router=paths`,
    'out',
    {
      ...called('out'),
      target: { type: 'drop' },
      destination: { type: 'ip_net', value: '192.0.2.0/24' },
    },
    [
      put(`/v1/vpc-router-routes/out?${inOwn}&router=paths`, {
        ...renamed,
        target: { type: 'drop' },
        destination: { type: 'ip_net', value: '192.0.2.0/25' },
      }),
    ],
  ),
  del(`/v1/vpc-routers/paths?${inOwn}`),
  post(`/v1/internet-gateways?${inOwn}`, called('gate')),
  get(`/v1/internet-gateways?${inOwn}`),
  get(`/v1/internet-gateways/gate?${inOwn}`),
  post(`/v1/internet-gateway-ip-pools?${inOwn}&gateway=gate`, { ...called('pool'), ip_pool: 'external' }),
  get(`/v1/internet-gateway-ip-pools?${inOwn}&gateway=gate`),
  del(`/v1/internet-gateway-ip-pools/pool?${inOwn}&gateway=gate`),
  post(`/v1/internet-gateway-ip-addresses?${inOwn}&gateway=gate`, {
    ...called('address'),
    address: '198.51.100.9',
  }),
  get(`/v1/internet-gateway-ip-addresses?${inOwn}&gateway=gate`),
  del(`/v1/internet-gateway-ip-addresses/address?${inOwn}&gateway=gate`),
  del(`/v1/internet-gateways/gate?${inOwn}`),
]

const groups = (kind: string): Step[] => [
  post(`/v1/${kind}?${at}`, { ...called(kind), policy: 'allow', failure_domain: 'sled' }),
  get(`/v1/${kind}?${at}`),
  get(`/v1/${kind}/${kind}?${at}`),
  put(`/v1/${kind}/${kind}?${at}`, renamed),
  post(`/v1/${kind}/${kind}/members/instance/web?${at}`),
  get(`/v1/${kind}/${kind}/members?${at}`),
  get(`/v1/${kind}/${kind}/members/instance/web?${at}`),
  get(`/v1/instances/web/${kind}?${at}`),
  del(`/v1/${kind}/${kind}/members/instance/web?${at}`),
  del(`/v1/${kind}/${kind}?${at}`),
]

const compute: readonly Step[] = [
  post(`/v1/instances?${at}`, instance),
  get(`/v1/instances?${at}`),
  get(`/v1/instances/web?${at}`),
  put(`/v1/instances/web?${at}`, instanceUpdate),
  get(`/v1/instances/web/disks?${at}`),
  post(`/v1/instances/web/disks/attach?${at}`, { disk: 'data' }),
  post(`/v1/instances/web/disks/detach?${at}`, { disk: 'data' }),
  get(`/v1/instances/web/ssh-public-keys?${at}`),
  get(`/v1/instances/web/external-ips?${at}`),
  del(`/v1/instances/web/external-ips/ephemeral?${at}`),
  post(`/v1/instances/web/external-ips/ephemeral?${at}`, ephemeral),
  post(`/v1/vpc-subnets?${inDefault}`, { ...called('side'), ipv4_block: '172.31.0.0/24' }),
  post(`/v1/network-interfaces?${at}&instance=web`, networkInterface),
  get(`/v1/network-interfaces?${at}&instance=web`),
  get(`/v1/network-interfaces/net1?${at}&instance=web`),
  put(`/v1/network-interfaces/net1?${at}&instance=web`, { transit_ips: ['192.168.0.0/16'] }),
  get(`/v1/vpc-subnets/side/network-interfaces?${inDefault}`),
  del(`/v1/network-interfaces/net1?${at}&instance=web`),
  del(`/v1/vpc-subnets/side?${inDefault}`),
  ...groups('affinity-groups'),
  ...groups('anti-affinity-groups'),
  post(`/v1/floating-ips?${at}`, floatingIp),
  get(`/v1/floating-ips?${at}`),
  get(`/v1/floating-ips/float?${at}`),
  put(`/v1/floating-ips/float?${at}`, renamed),
  post(`/v1/floating-ips/float/attach?${at}`, { kind: 'instance', parent: 'web' }),
  post(`/v1/floating-ips/float/detach?${at}`),
  del(`/v1/floating-ips/float?${at}`),
  post(`/v1/instances/web/start?${at}`, undefined, { until_state: 'running' }),
  get(`/v1/instances/web/serial-console?${at}&most_recent=64`),
  post(`/v1/instances/web/reboot?${at}`, undefined, { until_state: 'running' }),
  post(`/v1/instances/web/stop?${at}`, undefined, { until_state: 'stopped' }),
]

const subnetPool = (range: Range) => [
  post('/v1/system/subnet-pools', { ...called('blocks'), ip_version: 'v4' }, range),
  get('/v1/system/subnet-pools', range),
  get('/v1/system/subnet-pools/blocks', range),
  put('/v1/system/subnet-pools/blocks', renamed, range),
  post(
    '/v1/system/subnet-pools/blocks/members/add',
    dated(
      [externalSubnets, { ...called('unused'), subnet: '10.77.0.0/24' }],
      [plainAllocators, { subnet: '10.77.0.0/24', min_prefix_length: 24, max_prefix_length: 30 }],
    ),
    range,
  ),
  get('/v1/system/subnet-pools/blocks/members', range),
  post('/v1/system/subnet-pools/blocks/silos', { silo: 'demo', is_default: false }, range),
  get('/v1/system/subnet-pools/blocks/silos', range),
  put('/v1/system/subnet-pools/blocks/silos/demo', { is_default: false }, range),
  get('/v1/system/subnet-pools/blocks/utilization', range),
]
const ofBlocks = (field: string) => ({
  ...called('routed'),
  allocator: { type: 'auto', [field]: 28, pool_selector: { type: 'explicit', pool: 'blocks' } },
})
const subnets: readonly Step[] = [
  ...subnetPool({ since: externalSubnets }),
  get('/v1/subnet-pools', { since: siloSubnetPools }),
  get('/v1/subnet-pools/blocks', { since: namedSubnetPools }),
  get('/v1/system/silos/demo/subnet-pools', { since: siloSubnetPools }),
  ...[
    post(
      `/v1/external-subnets?${at}`,
      dated([externalSubnets, ofBlocks('prefix_len')], [prefixLengths, ofBlocks('prefix_length')]),
    ),
    get(`/v1/external-subnets?${at}`),
    get(`/v1/external-subnets/routed?${at}`),
    put(`/v1/external-subnets/routed?${at}`, renamed),
    post(`/v1/external-subnets/routed/attach?${at}`, { instance: 'web' }),
  ].map((step) => ({ ...step, since: externalSubnets })),
  get(`/v1/instances/web/external-subnets?${at}`, { since: 2026_01_30_00 }),
  ...[
    post(`/v1/external-subnets/routed/detach?${at}`),
    del(`/v1/external-subnets/routed?${at}`),
    del('/v1/system/subnet-pools/blocks/silos/demo'),
    post('/v1/system/subnet-pools/blocks/members/remove', { subnet: '10.77.0.0/24' }),
    del('/v1/system/subnet-pools/blocks'),
  ].map((step) => ({ ...step, since: externalSubnets })),
]

const range = { first: '10.88.0.1', last: '10.88.0.9' }
const pools: readonly Step[] = [
  get('/v1/ip-pools'),
  get('/v1/ip-pools/external'),
  post(
    '/v1/system/ip-pools',
    dated(
      [baseVersion, called('life-pool')],
      [initial, { ...called('life-pool'), ip_version: 'v4', pool_type: 'unicast' }],
      [assignments, { ...called('life-pool'), ip_version: 'v4', pool_type: 'unicast', assignment: 'silos' }],
    ),
  ),
  get('/v1/system/ip-pools'),
  get('/v1/system/ip-pools?assignment=silos&ip_version=v4', { since: assignments }),
  get('/v1/system/ip-pools/life-pool'),
  put('/v1/system/ip-pools/life-pool', renamed),
  post('/v1/system/ip-pools/life-pool/assignment', { assignment: 'system_services' }, { since: assignments }),
  post('/v1/system/ip-pools/life-pool/assignment', { assignment: 'silos' }, { since: assignments }),
  post('/v1/system/ip-pools/life-pool/ranges/add', range),
  get('/v1/system/ip-pools/life-pool/ranges'),
  get('/v1/system/ip-pools/life-pool/utilization'),
  post('/v1/system/ip-pools/life-pool/silos', { silo: 'demo', is_default: false }),
  get('/v1/system/ip-pools/life-pool/silos'),
  put('/v1/system/ip-pools/life-pool/silos/demo', { is_default: false }),
  get('/v1/system/silos/demo/ip-pools'),
  del('/v1/system/ip-pools/life-pool/silos/demo'),
  post('/v1/system/ip-pools/life-pool/ranges/remove', range),
  del('/v1/system/ip-pools/life-pool'),
  get('/v1/system/ip-pools-service', { until: assignments }),
  get('/v1/system/ip-pools-service/ranges', { until: assignments }),
  post('/v1/system/ip-pools-service/ranges/add', range, { until: assignments }),
  post('/v1/system/ip-pools-service/ranges/remove', range, { until: assignments }),
]

const groupRange = { first: '224.33.0.1', last: '224.33.0.9' }
const multicast: readonly Step[] = [
  post('/v1/system/ip-pools', { ...called('life-groups'), pool_type: 'multicast' }),
  post('/v1/system/ip-pools/life-groups/ranges/add', groupRange),
  post('/v1/system/ip-pools/life-groups/silos', { silo: 'demo', is_default: false }),
  { method: 'PUT' as const, path: `/v1/instances/web/multicast-groups/224.33.0.1?${at}`, until: joins },
  del(`/v1/instances/web/multicast-groups/224.33.0.1?${at}`, { until: joins }),
  put(`/v1/instances/web/multicast-groups/life?${at}`, { source_ips: ['10.0.0.1'] }, { since: joins }),
  { method: 'PUT' as const, path: `/v1/instances/web/multicast-groups/life?${at}`, until: joins },
  get(`/v1/instances/web/multicast-groups?${at}`),
  get('/v1/multicast-groups'),
  get('/v1/multicast-groups/life'),
  get('/v1/system/multicast-groups/by-ip/224.33.0.1', { until: joins }),
  get('/v1/multicast-groups/life/members'),
  del(`/v1/instances/web/multicast-groups/life?${at}`),
  del('/v1/system/ip-pools/life-groups/silos/demo'),
  post('/v1/system/ip-pools/life-groups/ranges/remove', groupRange),
  del('/v1/system/ip-pools/life-groups'),
].map((step) => ({ since: initial, ...step }))

const people: readonly Step[] = [
  get('/v1/me'),
  get('/v1/me/groups'),
  ...crud('/v1/me/ssh-keys', 'key', { ...called('key'), public_key: 'ssh-ed25519 AAAA' }),
  get('/v1/me/access-tokens'),
  get('/v1/ping'),
  get('/v1/users', { keep: 'reader' }),
  get('/v1/users/{reader}'),
  get('/v1/users/{reader}/access-tokens'),
  get('/v1/users/{reader}/sessions'),
  get('/v1/groups'),
  get('/v1/policy'),
  get('/v1/utilization'),
  get('/v1/auth-settings'),
  put('/v1/auth-settings', { device_token_max_ttl_seconds: null }),
  ...crud('/v1/certificates', 'life-cert', { ...called('life-cert'), ...certificateFor('demo.sys.test') }),
  get('/v1/metrics/cpus_provisioned?start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T01:00:00Z'),
]

const silos: readonly Step[] = [
  post('/v1/system/silos', {
    ...called('life-silo'),
    quotas: { cpus: 1, memory: GiB, storage: GiB },
    discoverable: true,
    identity_mode: 'local_only',
    tls_certificates: [],
    mapped_fleet_roles: {},
  }),
  get('/v1/system/silos'),
  get('/v1/system/silos/life-silo'),
  get('/v1/system/silos/life-silo/policy'),
  put('/v1/system/silos/life-silo/policy', { role_assignments: [] }),
  get('/v1/system/silos/life-silo/quotas'),
  put('/v1/system/silos/life-silo/quotas', { cpus: 2, memory: GiB, storage: GiB }),
  get('/v1/system/silo-quotas'),
  get('/v1/system/utilization/silos'),
  get('/v1/system/utilization/silos/life-silo'),
  get('/v1/system/identity-providers?silo=life-silo'),
  post(
    '/v1/system/identity-providers/local/users?silo=life-silo',
    { external_id: 'someone', password: { mode: 'login_disallowed' } },
    { keep: 'user' },
  ),
  post('/v1/system/identity-providers/local/users/{user}/set-password?silo=life-silo', {
    mode: 'password',
    value: 'correct horse battery',
  }),
  get('/v1/system/users?silo=life-silo'),
  get('/v1/system/users/{user}?silo=life-silo'),
  del('/v1/system/identity-providers/local/users/{user}?silo=life-silo'),
  del('/v1/system/silos/life-silo'),
  get('/v1/system/users-builtin', { keep: 'builtin' }),
  get('/v1/system/users-builtin/{builtin}'),
  post('/v1/system/silos', {
    ...called('federated'),
    quotas: { cpus: 0, memory: 0, storage: 0 },
    discoverable: false,
    identity_mode: 'saml_jit',
    tls_certificates: [],
  }),
  post('/v1/system/identity-providers/saml?silo=federated', {
    ...called('provider'),
    acs_url: 'https://federated.sys.test/login/federated/saml/provider',
    slo_url: 'https://federated.sys.test/logout',
    idp_entity_id: 'https://idp.test',
    sp_client_id: 'gantry',
    technical_contact_email: 'rack@example.com',
    idp_metadata_source: { type: 'base64_encoded_xml', data: btoa('<metadata/>') },
    group_attribute_name: 'groups',
    signing_keypair: null,
  }),
  get('/v1/system/identity-providers/saml/provider?silo=federated'),
  get('/v1/system/identity-providers?silo=federated'),
  ...[
    post('/v1/system/silos', {
      ...called('provisioned'),
      quotas: { cpus: 0, memory: 0, storage: 0 },
      discoverable: false,
      identity_mode: 'saml_scim',
      tls_certificates: [],
    }),
    post('/v1/system/scim/tokens?silo=provisioned', undefined, { keep: 'scim' }),
    get('/v1/system/scim/tokens?silo=provisioned'),
    get('/v1/system/scim/tokens/{scim}?silo=provisioned'),
    del('/v1/system/scim/tokens/{scim}?silo=provisioned'),
    del('/v1/system/silos/provisioned'),
  ].map((step) => ({ ...step, since: initial })),
  del('/v1/system/silos/federated'),
  get('/v1/system/policy'),
]

const hardware = '/v1/system/hardware'
const rack: readonly Step[] = [
  get(`${hardware}/racks`, { keep: 'rack' }),
  get(`${hardware}/racks/{rack}`),
  get(`${hardware}/racks/{rack}/membership`, { since: 2026_01_21_00 }),
  get(`${hardware}/sleds`, { keep: 'sled' }),
  get(`${hardware}/sleds/{sled}`),
  get(`${hardware}/sleds/{sled}/disks`),
  get(`${hardware}/sleds/{sled}/instances`),
  put(`${hardware}/sleds/{sled}/provision-policy`, { state: 'provisionable' }),
  get(`${hardware}/sleds-uninitialized`),
  get(`${hardware}/disks`, { keep: 'physical' }),
  get(`${hardware}/disks/{physical}`),
  get(`${hardware}/switches`, { keep: 'switch' }),
  get(`${hardware}/switches/{switch}`),
  ...[
    get(`${hardware}/disks-unadopted`),
    get(`${hardware}/disk-adoption-requests`),
    put(
      `${hardware}/disk-adoption-request`,
      { vendor: 'Norrland', serial: 'LIFE', model: 'NU-3200' },
      { keep: 'adoption' },
    ),
    del(`${hardware}/disk-adoption-request/{adoption}`),
  ].map((step) => ({ ...step, since: 2026_05_08_00 })),
  post(
    `/experimental/v1/probes?${at}`,
    dated(
      [baseVersion, { ...called('probe'), sled: '{sled}', ip_pool: 'external' }],
      [selectors, { ...called('probe'), sled: '{sled}', pool_selector: { type: 'auto' } }],
    ),
  ),
  get(`/experimental/v1/probes?${at}`),
  get(`/experimental/v1/probes/probe?${at}`),
  del(`/experimental/v1/probes/probe?${at}`),
]

const networking = '/v1/system/networking'
/** A query parameter whose name changed. */
const onSwitch = (path: (name: string) => Step): Step[] => [
  { ...path('switch_location'), until: slots },
  { ...path('switch_slot'), since: slots },
]
const port = (what: string, name: string) =>
  `${hardware}/switch-port/qsfp3/${what}?rack_id={rack}&${name}=switch0`
const peer = (more: object) => ({
  bgp_config: 'life-bgp',
  ...peerTimers,
  communities: [],
  enforce_first_as: false,
  allowed_import: { type: 'no_filtering' },
  allowed_export: { type: 'no_filtering' },
  ...more,
})
const settings = (more: object, vlan: object) => ({
  ...called('life-port'),
  port_config: { geometry: 'qsfp28x1' },
  links: [uplinkLink],
  interfaces: [{ link_name: 'phy0', v6_enabled: true, kind: vlan }],
  addresses: [
    { link_name: 'phy0', addresses: [{ address_lot: 'life-lot', address: '10.99.0.2/30', vlan_id: null }] },
  ],
  bgp_peers: [{ link_name: 'phy0', peers: [peer(more)] }],
})
const vlan = { type: 'vlan', vid: 7 }
const bfd = { remote: '10.99.0.1' }
const session = { ...bfd, local: null, detection_threshold: 3, required_rx: 1000, mode: 'single_hop' }
const loopback = {
  address_lot: 'life-lot',
  rack_id: '{rack}',
  address: '10.99.0.200',
  mask: 32,
  anycast: false,
}

const rackNetwork: readonly Step[] = [
  post(`${networking}/address-lot`, {
    ...called('life-lot'),
    kind: 'infra',
    blocks: [{ first_address: '10.99.0.0', last_address: '10.99.0.255' }],
  }),
  get(`${networking}/address-lot`),
  get(`${networking}/address-lot/life-lot`),
  get(`${networking}/address-lot/life-lot/blocks`, { keep: 'block' }),
  post(
    `${networking}/loopback-address`,
    dated(
      [baseVersion, { ...loopback, switch_location: 'switch0' }],
      [slots, { ...loopback, switch_slot: 'switch0' }],
    ),
  ),
  get(`${networking}/loopback-address`),
  del(`${networking}/loopback-address/{rack}/switch0/10.99.0.200/32`),
  put(`${networking}/bgp-announce-set`, {
    ...called('life-set'),
    announcement: [{ address_lot_block: '{block}', network: '10.99.0.128/25' }],
  }),
  get(`${networking}/bgp-announce-set`),
  get(`${networking}/bgp-announce-set/life-set/announcement`),
  post(
    `${networking}/bgp`,
    dated(
      [baseVersion, { ...called('life-bgp'), asn: 64_999, bgp_announce_set_id: 'life-set' }],
      [peerIds, { ...called('life-bgp'), asn: 64_999, bgp_announce_set_id: 'life-set', max_paths: 4 }],
    ),
  ),
  get(`${networking}/bgp`),
  put(`${networking}/bgp?name_or_id=life-bgp`, { max_paths: 2 }, { since: 2026_06_10_00 }),
  post(
    `${networking}/switch-port-settings`,
    dated(
      [baseVersion, settings({ addr: '10.99.0.1', interface_name: 'phy0' }, vlan)],
      [peerIds, settings({ addr: null, router_lifetime: 9000, interface_name: 'phy0' }, vlan)],
      [2026_04_16_00, settings({ addr: { type: 'numbered', ip: '10.99.0.1' } }, vlan)],
      [2026_04_19_00, settings({ addr: { type: 'unnumbered', router_lifetime: 0 } }, vlan)],
      [
        2026_08_19_01,
        settings({ addr: { type: 'numbered', target_addr: '10.99.0.1', src_addr: '10.99.0.2' } }, vlan),
      ],
    ),
  ),
  get(`${networking}/switch-port-settings`),
  get(`${networking}/switch-port-settings/life-port`),
  get(`${hardware}/switch-port`),
  ...onSwitch((name) => post(port('settings', name), { port_settings: 'life-port' })),
  ...onSwitch((name) => get(port('status', name))),
  ...onSwitch((name) => get(port('lldp/config', name), { keep: 'lldp' })),
  ...onSwitch((name) => post(port('lldp/config', name), { id: '{lldp}', enabled: true })),
  get(`${hardware}/rack-switch-port/{rack}/switch0/qsfp3/lldp/neighbors`),
  get(`${networking}/bgp-status`),
  get(`${networking}/bgp-exported`),
  get(`${networking}/bgp-imported?asn=64999`, { since: peerIds }),
  get(`${networking}/bgp-routes-ipv4?asn=64999`, { until: peerIds }),
  get(`${networking}/bgp-message-history?asn=64999`),
  post(
    `${networking}/bfd-enable`,
    dated([baseVersion, { ...session, switch: 'switch0' }], [slots, { ...session, switch_slot: 'switch0' }]),
  ),
  get(`${networking}/bfd-status`),
  post(
    `${networking}/bfd-disable`,
    dated([baseVersion, { ...bfd, switch: 'switch0' }], [slots, { ...bfd, switch_slot: 'switch0' }]),
  ),
  ...onSwitch((name) => del(port('settings', name))),
  del(`${networking}/switch-port-settings?port_settings=life-port`),
  del(`${networking}/bgp?name_or_id=life-bgp`),
  del(`${networking}/bgp-announce-set/life-set`),
  del(`${networking}/address-lot/life-lot`),
  get(`${networking}/allow-list`),
  put(`${networking}/allow-list`, { allowed_ips: { allow: 'any' } }),
  get(`${networking}/inbound-icmp`),
  put(`${networking}/inbound-icmp`, { enabled: true }),
  get(`${networking}/settings`, { since: jumbo }),
  put(`${networking}/settings`, { external_jumbo_frames_opt_in_enabled: false }, { since: jumbo }),
]

const bundles = (root: string, range: Range): Step[] =>
  [
    post(root, { user_comment: 'of a life' }, { keep: 'bundle', until_state: 'active' }),
    get(root),
    get(`${root}/{bundle}`),
    put(`${root}/{bundle}`, { user_comment: 'changed' }),
    del(`${root}/{bundle}`),
  ].map((step) => ({ ...step, ...range }))

const hour = 'start_time=2026-01-01T00:00:00Z&end_time=2999-01-01T00:00:00Z'
const system: readonly Step[] = [
  get(`/v1/system/audit-log?${hour}&limit=5`),
  get('/v1/alert-classes'),
  get('/v1/alerts', { since: 2026_08_14_00 }),
  post(
    '/v1/webhook-receivers',
    { ...called('life-hook'), endpoint: 'https://hook.example', secrets: ['s'], subscriptions: [] },
    { keep: 'receiver' },
  ),
  put('/v1/webhook-receivers/life-hook', renamed),
  get('/v1/webhook-secrets?receiver=life-hook'),
  post('/v1/webhook-secrets?receiver=life-hook', { secret: 'another' }, { keep: 'secret' }),
  del('/v1/webhook-secrets/{secret}'),
  post('/v1/alert-receivers/life-hook/subscriptions', { subscription: 'issue.**' }),
  del('/v1/alert-receivers/life-hook/subscriptions/issue.**'),
  get('/v1/alert-receivers'),
  get('/v1/alert-receivers/life-hook'),
  get('/v1/alert-receivers/life-hook/deliveries'),
  del('/v1/alert-receivers/life-hook'),
  ...bundles('/experimental/v1/system/support-bundles', { until: stableBundles }),
  ...bundles('/v1/system/support-bundles', { since: stableBundles }),
  get('/v1/system/update/status', { since: initial }),
  get('/v1/system/update/target-release', { until: initial }),
  get('/v1/system/update/repositories', { since: initial }),
  post('/v1/system/update/trust-roots', publishersRoot, { keep: 'root' }),
  get('/v1/system/update/trust-roots'),
  get('/v1/system/update/trust-roots/{root}'),
  del('/v1/system/update/trust-roots/{root}'),
  get('/v1/system/timeseries/schemas'),
  get('/v1/system/metrics/cpus_provisioned?start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T01:00:00Z'),
]

const end: readonly Step[] = [
  del(`/v1/instances/web?${at}`),
  del(`/v1/disks/boot?${at}`),
  del(`/v1/disks/data?${at}`),
  put(`/v1/vpc-firewall-rules?${inOwn}`, { rules: [] }),
  del(`/v1/vpc-subnets/back?${inOwn}`),
  del(`/v1/vpc-subnets/default?${inOwn}`),
  del(`/v1/vpcs/own?${at}`),
  del(`/v1/vpc-subnets/default?${inDefault}`),
  del(`/v1/vpcs/default?${at}`),
  del('/v1/projects/life'),
]

export const life: readonly Step[] = [
  ...ofProject,
  ...storage,
  ...network,
  ...compute,
  ...subnets,
  ...pools,
  ...multicast,
  ...people,
  ...silos,
  ...rack,
  ...rackNetwork,
  ...system,
  ...end,
]

/**
 * What programs of the ecosystem send, as data: the requests of each resource in the order of its life. They create, read
 * what they created until it is ready, change, read again, delete, and read to see that it is gone; an import
 * is a read by id. Bodies are in the shape of the version that the program names.
 */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{name}` is what an earlier answer was kept as. */
  path: string
  body?: unknown
  /** The status that the program takes for success. */
  status: number
  keep?: string
  /** A state that the program asks for again until it is reached. */
  until?: string
}

export interface Program {
  name: string
  header: string
  version: string
  calls: readonly Call[]
}

const GiB = 1024 ** 3
const named = (name: string) => ({ name, description: 'managed' })
const get = (path: string, more: Partial<Call> = {}): Call => ({ method: 'GET', path, status: 200, ...more })
const post = (path: string, body?: unknown, more: Partial<Call> = {}): Call => ({
  method: 'POST',
  path,
  status: 201,
  ...(body !== undefined && { body }),
  ...more,
})
const put = (path: string, body: unknown): Call => ({ method: 'PUT', path, status: 200, body })
const del = (path: string): Call => ({ method: 'DELETE', path, status: 204 })
const gone = (path: string): Call => ({ method: 'GET', path, status: 404 })

interface Life {
  list: string
  /** Where one is by its id, if not under the path of the list. */
  one?: string
  keep: string
  create: object
  ready?: string
  update?: object
  within?: readonly Call[]
}

/** A resource that is known by its id: created, refreshed, changed, imported, destroyed, and looked for again. */
function managed({ list, one, keep, create, ready, update, within = [] }: Life): Call[] {
  const at = one ?? `${list.split('?')[0]}/{${keep}}`
  return [
    post(list, create, { keep }),
    get(at, ready ? { until: ready } : {}),
    ...(update ? [put(at, update), get(at)] : []),
    get(at),
    ...within,
    del(at),
    gone(at),
  ]
}

const blank = { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } }
const inProject = 'project={project}'
const jumboFrames = 2026060500

/** A provider that plans and applies: everything by ids, each change followed by a refresh. */
function provider(version: number): Call[] {
  const jumbo = version >= jumboFrames ? { enable_jumbo_frames: false } : {}
  const vpc = managed({
    list: `/v1/vpcs?${inProject}`,
    keep: 'vpc',
    create: { ...named('net'), dns_name: 'net' },
    update: { name: 'net', description: 'changed', dns_name: 'net' },
    within: [
      get(`/v1/vpc-subnets/default?vpc={vpc}`, { keep: 'default-subnet' }),
      ...managed({
        list: '/v1/vpc-subnets?vpc={vpc}',
        keep: 'subnet',
        create: { ...named('back'), ipv4_block: '192.168.1.0/24' },
        update: { name: 'back', description: 'changed' },
      }),
      ...managed({
        list: '/v1/vpc-routers?vpc={vpc}',
        keep: 'router',
        create: named('paths'),
        update: { name: 'paths', description: 'changed' },
        within: managed({
          list: '/v1/vpc-router-routes?router={router}',
          keep: 'route',
          create: {
            ...named('out'),
            destination: { type: 'ip_net', value: '10.0.0.0/8' },
            target: { type: 'drop' },
          },
          update: {
            name: 'out',
            description: 'changed',
            destination: { type: 'ip_net', value: '10.0.0.0/9' },
            target: { type: 'drop' },
          },
        }),
      }),
      ...managed({ list: '/v1/internet-gateways?vpc={vpc}', keep: 'gateway', create: named('gate') }),
      put('/v1/vpc-firewall-rules?vpc={vpc}', {
        rules: [
          {
            ...named('web'),
            action: 'allow',
            direction: 'inbound',
            priority: 50,
            status: 'enabled',
            filters: {
              hosts: null,
              ports: ['443'],
              protocols: [{ type: 'tcp' }, { type: 'icmp', value: null }],
            },
            targets: [{ type: 'vpc', value: 'net' }],
          },
        ],
      }),
      get('/v1/vpc-firewall-rules?vpc={vpc}'),
      put('/v1/vpc-firewall-rules?vpc={vpc}', { rules: [] }),
      del('/v1/vpc-subnets/{default-subnet}'),
    ],
  })
  const instance = managed({
    list: `/v1/instances?${inProject}`,
    keep: 'instance',
    create: {
      ...named('web'),
      hostname: 'web',
      memory: GiB,
      ncpus: 1,
      anti_affinity_groups: ['{group}'],
      boot_disk: { type: 'attach', name: 'boot' },
      disks: [{ type: 'attach', name: 'data' }],
      external_ips: [
        { type: 'ephemeral', pool_selector: { type: 'explicit', pool: '{pool}' } },
        { type: 'floating', floating_ip: '{address}' },
      ],
      network_interfaces: {
        type: 'create',
        params: [
          {
            ...named('net0'),
            vpc_name: 'default',
            subnet_name: 'default',
            ip_config: { type: 'v4', value: { ip: { type: 'auto' } } },
          },
        ],
      },
      ssh_public_keys: ['{key}'],
      start: true,
      user_data: '',
    },
    ready: 'running',
    within: [
      get('/v1/instances/{instance}/disks'),
      get('/v1/instances/{instance}/ssh-public-keys'),
      get('/v1/instances/{instance}/external-ips'),
      get('/v1/instances/{instance}/anti-affinity-groups'),
      get('/v1/network-interfaces?instance={instance}', { keep: 'interface' }),
      get('/v1/network-interfaces/{interface}'),
      // A change of its size, of its disks and of its addresses.
      post('/v1/instances/{instance}/stop', undefined, { status: 202 }),
      get('/v1/instances/{instance}', { until: 'stopped' }),
      put('/v1/instances/{instance}', {
        ncpus: 2,
        memory: 2 * GiB,
        boot_disk: '{boot}',
        auto_restart_policy: 'best_effort',
        cpu_platform: null,
        ...jumbo,
      }),
      post('/v1/instances/{instance}/disks/detach', { disk: '{data}' }, { status: 202 }),
      post('/v1/instances/{instance}/disks/attach', { disk: '{data}' }, { status: 202 }),
      post('/v1/floating-ips/{address}/detach', undefined, { status: 202 }),
      post('/v1/floating-ips/{address}/attach', { kind: 'instance', parent: '{instance}' }, { status: 202 }),
      del('/v1/instances/{instance}/external-ips/ephemeral?ip_version=v4'),
      post(
        '/v1/instances/{instance}/external-ips/ephemeral',
        { pool_selector: { type: 'auto', ip_version: 'v4' } },
        { status: 202 },
      ),
      post('/v1/instances/{instance}/start', undefined, { status: 202 }),
      get('/v1/instances/{instance}', { until: 'running' }),
      // It is destroyed stopped, and without the disks that live on.
      post('/v1/instances/{instance}/stop', undefined, { status: 202 }),
      get('/v1/instances/{instance}', { until: 'stopped' }),
      post('/v1/instances/{instance}/disks/detach', { disk: '{data}' }, { status: 202 }),
    ],
  })
  return [
    get('/v1/ip-pools?limit=1000', { keep: 'pool' }),
    get('/v1/ip-pools/{pool}'),
    ...managed({
      list: '/v1/me/ssh-keys',
      keep: 'key',
      create: { ...named('key'), public_key: 'ssh-ed25519 AAAA' },
    }),
    post('/v1/me/ssh-keys', { ...named('key'), public_key: 'ssh-ed25519 AAAA' }, { keep: 'key' }),
    post('/v1/projects', named('managed'), { keep: 'project' }),
    get('/v1/projects/{project}'),
    put('/v1/projects/{project}', { name: 'managed', description: 'changed' }),
    ...vpc,
    post(`/v1/disks?${inProject}`, { ...named('boot'), size: GiB, disk_backend: blank }, { keep: 'boot' }),
    get('/v1/disks/{boot}', { until: 'detached' }),
    post(`/v1/disks?${inProject}`, { ...named('data'), size: GiB, disk_backend: blank }, { keep: 'data' }),
    ...managed({
      list: `/v1/snapshots?${inProject}`,
      keep: 'snapshot',
      create: { ...named('copy'), disk: '{data}' },
      ready: 'ready',
      within: managed({
        list: `/v1/images?${inProject}`,
        keep: 'image',
        create: {
          ...named('system'),
          os: 'debian',
          version: '13',
          source: { type: 'snapshot', id: '{snapshot}' },
        },
      }),
    }),
    post(
      `/v1/anti-affinity-groups?${inProject}`,
      { ...named('apart'), policy: 'allow', failure_domain: 'sled' },
      { keep: 'group' },
    ),
    get('/v1/anti-affinity-groups/{group}'),
    put('/v1/anti-affinity-groups/{group}', { name: 'apart', description: 'changed' }),
    post(
      `/v1/floating-ips?${inProject}`,
      {
        ...named('address'),
        address_allocator: { type: 'auto', pool_selector: { type: 'explicit', pool: '{pool}' } },
      },
      { keep: 'address' },
    ),
    get('/v1/floating-ips/{address}'),
    ...instance,
    del('/v1/floating-ips/{address}'),
    gone('/v1/floating-ips/{address}'),
    del('/v1/anti-affinity-groups/{group}'),
    del('/v1/disks/{boot}'),
    del('/v1/disks/{data}'),
    gone('/v1/disks/{data}'),
    // What a project begins with is in the way of its end.
    get(`/v1/vpc-subnets/default?${inProject}&vpc=default`, { keep: 'default-subnet' }),
    del('/v1/vpc-subnets/{default-subnet}'),
    get(`/v1/vpcs/default?${inProject}`, { keep: 'default-vpc' }),
    del('/v1/vpcs/{default-vpc}'),
    del('/v1/projects/{project}'),
    gone('/v1/projects/{project}'),
    del('/v1/me/ssh-keys/{key}'),
    // What an operator manages.
    ...managed({
      list: '/v1/system/ip-pools',
      keep: 'own-pool',
      create: { ...named('managed-pool'), ip_version: 'v4', pool_type: 'unicast' },
      update: { name: 'managed-pool', description: 'changed' },
      within: [
        post('/v1/system/ip-pools/{own-pool}/ranges/add', { first: '10.44.0.1', last: '10.44.0.9' }),
        get('/v1/system/ip-pools/{own-pool}/ranges?limit=1000'),
        post('/v1/system/ip-pools/{own-pool}/silos', { silo: 'demo', is_default: false }),
        get('/v1/system/ip-pools/{own-pool}/silos?limit=1000'),
        put('/v1/system/ip-pools/{own-pool}/silos/demo', { is_default: false }),
        del('/v1/system/ip-pools/{own-pool}/silos/demo'),
        post(
          '/v1/system/ip-pools/{own-pool}/ranges/remove',
          { first: '10.44.0.1', last: '10.44.0.9' },
          { status: 204 },
        ),
      ],
    }),
    ...managed({
      list: '/v1/system/silos',
      keep: 'silo',
      create: {
        ...named('managed-silo'),
        discoverable: true,
        identity_mode: 'local_only',
        quotas: { cpus: 4, memory: GiB, storage: GiB },
        tls_certificates: [],
        mapped_fleet_roles: {},
        admin_group_name: null,
      },
      within: [
        put('/v1/system/silos/{silo}/quotas', { cpus: 8, memory: GiB, storage: GiB }),
        get('/v1/system/silos/{silo}/quotas'),
      ],
    }),
    ...managed({
      list: '/v1/system/networking/address-lot',
      keep: 'lot',
      create: {
        ...named('managed-lot'),
        kind: 'infra',
        blocks: [{ first_address: '10.45.0.1', last_address: '10.45.0.9' }],
      },
      one: '/v1/system/networking/address-lot/managed-lot',
    }),
  ]
}

/** A command line: names within a project, one command at a time, and lists that are read to their end. */
function commandLine(version: number): Call[] {
  const at = 'project=typed'
  const isDated = version >= 2026010500
  const disk = (name: string) => ({
    ...named(name),
    size: GiB,
    ...(version >= 2025120300 ? { disk_backend: blank } : { disk_source: blank.disk_source }),
  })
  return [
    get('/v1/me'),
    get('/v1/me/groups?limit=100'),
    post('/v1/projects', named('typed')),
    get('/v1/projects?limit=2&sort_by=name_ascending'),
    get('/v1/projects/typed/policy'),
    // An image is imported block by block.
    post(`/v1/disks?${at}`, {
      ...disk('import'),
      ...(version >= 2025120300
        ? {
            disk_backend: { type: 'distributed', disk_source: { type: 'importing_blocks', block_size: 512 } },
          }
        : { disk_source: { type: 'importing_blocks', block_size: 512 } }),
    }),
    post(`/v1/disks/import/bulk-write-start?${at}`, undefined, { status: 204 }),
    post(
      `/v1/disks/import/bulk-write?${at}`,
      { offset: 0, base64_encoded_data: btoa('\0'.repeat(512)) },
      { status: 204 },
    ),
    post(
      `/v1/disks/import/bulk-write?${at}`,
      { offset: 512, base64_encoded_data: btoa('\0'.repeat(512)) },
      { status: 204 },
    ),
    post(`/v1/disks/import/bulk-write-stop?${at}`, undefined, { status: 204 }),
    post(`/v1/disks/import/finalize?${at}`, { snapshot_name: 'imported' }, { status: 204 }),
    get(`/v1/snapshots/imported?${at}`, { keep: 'snapshot', until: 'ready' }),
    post(`/v1/images?${at}`, {
      ...named('imported'),
      os: 'debian',
      version: '13',
      source: { type: 'snapshot', id: '{snapshot}' },
    }),
    get(`/v1/images?${at}&limit=100`),
    post(`/v1/instances?${at}`, {
      ...named('shell'),
      hostname: 'shell',
      ncpus: 1,
      memory: GiB,
      start: true,
      disks: [{ type: 'create', ...disk('shell-disk') }],
      external_ips: [
        isDated ? { type: 'ephemeral', pool_selector: { type: 'auto' } } : { type: 'ephemeral' },
      ],
      network_interfaces: { type: isDated ? 'default_ipv4' : 'default' },
    }),
    get(`/v1/instances/shell?${at}`, { until: 'running' }),
    get(`/v1/instances/shell/serial-console?${at}&most_recent=1024`),
    get(`/v1/instances/shell/external-ips?${at}`),
    post(`/v1/instances/shell/reboot?${at}`, undefined, { status: 202 }),
    get(`/v1/instances/shell?${at}`, { until: 'running' }),
    post(`/v1/instances/shell/stop?${at}`, undefined, { status: 202 }),
    get(`/v1/instances/shell?${at}`, { until: 'stopped' }),
    del(`/v1/instances/shell?${at}`),
    del(`/v1/disks/shell-disk?${at}`),
    del(`/v1/images/imported?${at}`),
    del(`/v1/snapshots/imported?${at}`),
    del(`/v1/disks/import?${at}`),
    get('/v1/system/hardware/racks'),
    get('/v1/system/hardware/sleds?limit=100'),
    get('/v1/system/networking/bgp-status'),
    get('/v1/system/audit-log?start_time=2026-01-01T00:00:00Z&limit=10'),
    del(`/v1/vpc-subnets/default?${at}&vpc=default`),
    del(`/v1/vpcs/default?${at}`),
    del('/v1/projects/typed'),
  ]
}

const dated = (version: number): string => `${version}.0.0`

export const programs: readonly Program[] = [
  ...[2026021301, 2026032500, 2026060800].map((version) => ({
    name: `the provider of ${version}`,
    header: 'API-Version',
    version: dated(version),
    calls: provider(version),
  })),
  ...[20251008, 2026021301, 2026032500, 2026060800, 2026072800].map((version) => ({
    name: `the command line of ${version}`,
    header: 'api-version',
    version: dated(version),
    calls: commandLine(version),
  })),
]

/**
 * What the pages of two released consoles ask before they show anything, as data: the console of August 2025, which names
 * no version, and that of August 2026. A path names objects by `{selector}`; text after a blank is the body of a
 * query of metrics.
 */
export interface ConsolePage {
  page: string
  calls: readonly string[]
}

export const all = 'limit=1000'
const paged = 'limit=50'

const times = 'start_time={start}&end_time={end}'
const chart = (path: string, metric: string, filter: string) => [
  `${path}/${metric}?${times}&limit=3000${filter}`,
  `${path}/${metric}?start_time=1970-01-01T00:00:00.000Z&end_time={start}&limit=1&order=descending${filter}`,
]
const charts = (path: string, filter = '') =>
  ['cpus_provisioned', 'ram_provisioned', 'virtual_disk_space_provisioned'].flatMap((metric) =>
    chart(path, metric, filter),
  )

const series = (metric: string, filter: string, group: string) =>
  `/v1/timeseries/query?project={project} get ${metric} | filter timestamp >= @{from} && timestamp < @{until} && ${filter} | align mean_within(60s) | group_by [${group}], sum`
const diskSeries = ['reads', 'writes', 'bytes_read', 'bytes_written', 'flushes'].map((name) =>
  series(`virtual_disk:${name}`, 'attached_instance_id == "{instance-id}"', 'attached_instance_id'),
)
const networkSeries = [
  'bytes_sent',
  'bytes_received',
  'packets_sent',
  'packets_received',
  'packets_dropped',
].map((name) => series(`instance_network_interface:${name}`, 'instance_id == "{instance-id}"', 'instance_id'))

const inProject = 'project={project}'
const inVpc = `${inProject}&vpc={vpc}`
const instance = `/v1/instances/{instance}?${inProject}`
const header = [
  instance,
  `/v1/instances/{instance}/external-ips?${inProject}`,
  `/v1/network-interfaces?${inProject}&instance={instance}&${all}`,
  `/v1/vpcs/{vpc}?${inProject}`,
]
const disksOfInstance = `/v1/instances/{instance}/disks?${inProject}&${all}`
const everyDisk = `/v1/disks?${inProject}&${all}`
const everyInstance = `/v1/instances?${inProject}&${all}`
const everyVpc = `/v1/vpcs?${inProject}&${all}`
const everySubnet = `/v1/vpc-subnets?${inVpc}&${all}`
const rules = `/v1/vpc-firewall-rules?${inVpc}`
const vpc = `/v1/vpcs/{vpc}?${inProject}`
const router = `/v1/vpc-routers/{router}?${inVpc}`
const routes = `/v1/vpc-router-routes?${inVpc}&router={router}`
const gateways = `/v1/internet-gateways?${inVpc}`
const ofGateway = [
  `/v1/internet-gateway-ip-pools?${inVpc}&gateway={gateway}&${all}`,
  `/v1/internet-gateway-ip-addresses?${inVpc}&gateway={gateway}&${all}`,
]
const everyFloatingIp = `/v1/floating-ips?${inProject}&${all}`
const groups = `/v1/anti-affinity-groups?${inProject}`
const members = `/v1/anti-affinity-groups/{anti_affinity_group}/members?${inProject}&${all}`
const inSilo = 'silo={silo}'
const everySilo = `/v1/system/silos?${all}`
const hardware = '/v1/system/hardware'

/** Of both consoles, whose requests differ only by what each version calls things. */
const shared: readonly ConsolePage[] = [
  { page: '/login/{silo}/local', calls: [] },
  { page: '/login/{silo}/saml/{provider}', calls: [] },
  { page: '/device/verify', calls: [] },
  { page: '/device/success', calls: [] },
  { page: '/settings/profile', calls: [] },
  { page: '/settings/ssh-keys', calls: [`/v1/me/ssh-keys?${paged}`] },
  { page: '/settings/ssh-keys-new', calls: [`/v1/me/ssh-keys?${paged}`] },
  { page: '/settings/ssh-keys/{ssh_key}/edit', calls: ['/v1/me/ssh-keys/{ssh_key}'] },
  { page: '/settings/access-tokens', calls: [`/v1/me/access-tokens?${paged}`] },
  { page: '/projects', calls: [`/v1/projects?${paged}`] },
  { page: '/projects-new', calls: [`/v1/projects?${paged}`] },
  { page: '/projects/{project}/edit', calls: [`/v1/projects?${paged}`, '/v1/projects/{project}'] },
  { page: '/images', calls: [`/v1/images?${paged}`] },
  { page: '/utilization', calls: ['/v1/projects', '/v1/utilization', ...charts('/v1/metrics')] },
  { page: '/access', calls: ['/v1/policy', '/v1/users', '/v1/groups'] },
  { page: '/lookup/instances/{id}', calls: ['/v1/instances/{instance-id}', '/v1/projects/{project-id}'] },
  {
    page: '/projects/{project}/access',
    calls: ['/v1/policy', '/v1/projects/{project}/policy', '/v1/users', '/v1/groups'],
  },
  {
    page: '/projects/{project}/instances/{instance}/storage',
    calls: [...header, disksOfInstance, everyDisk],
  },
  {
    page: '/projects/{project}/instances/{instance}/metrics/cpu',
    calls: [
      ...header,
      series('virtual_machine:vcpu_usage', 'instance_id == "{instance-id}" && state == "run"', 'vcpu_id'),
    ],
  },
  {
    page: '/projects/{project}/instances/{instance}/metrics/disk',
    calls: [...header, disksOfInstance, ...diskSeries],
  },
  {
    page: '/projects/{project}/instances/{instance}/metrics/network',
    calls: [...header, ...networkSeries],
  },
  { page: '/projects/{project}/instances/{instance}/connect', calls: header },
  {
    page: '/projects/{project}/instances/{instance}/settings',
    calls: [
      ...header,
      `/v1/instances/{instance}/anti-affinity-groups?${inProject}&${all}`,
      `${groups}&${all}`,
    ],
  },
  { page: '/projects/{project}/instances/{instance}/serial-console', calls: [instance] },
  {
    page: '/projects/{project}/disks',
    calls: [`/v1/disks?${inProject}&${paged}`, `/v1/instances?${inProject}&limit=200`],
  },
  {
    page: '/projects/{project}/disks-new',
    calls: [
      `/v1/disks?${inProject}&${paged}`,
      `/v1/images?${inProject}`,
      '/v1/images',
      `/v1/snapshots?${inProject}&${all}`,
    ],
  },
  {
    page: '/projects/{project}/snapshots',
    calls: [`/v1/snapshots?${inProject}&${paged}`, `/v1/disks?${inProject}&limit=200`],
  },
  {
    page: '/projects/{project}/snapshots-new',
    calls: [`/v1/snapshots?${inProject}&${paged}`, everyDisk],
  },
  {
    page: '/projects/{project}/snapshots/{snapshot}/images-new',
    calls: [`/v1/snapshots/{snapshot}?${inProject}`],
  },
  { page: '/projects/{project}/images', calls: [`/v1/images?${inProject}&${paged}`] },
  { page: '/projects/{project}/images-new', calls: [`/v1/images?${inProject}&${paged}`] },
  { page: '/projects/{project}/affinity', calls: [`${groups}&${paged}`, members] },
  { page: '/projects/{project}/affinity-new', calls: [`${groups}&${paged}`] },
  {
    page: '/projects/{project}/affinity/{group}',
    calls: [`/v1/anti-affinity-groups/{anti_affinity_group}?${inProject}`, members, everyInstance],
  },
  {
    page: '/projects/{project}/affinity/{group}/edit',
    calls: [`/v1/anti-affinity-groups/{anti_affinity_group}?${inProject}`],
  },
  { page: '/projects/{project}/vpcs', calls: [`/v1/vpcs?${inProject}&${paged}`, rules] },
  { page: '/projects/{project}/vpcs-new', calls: [`/v1/vpcs?${inProject}&${paged}`] },
  { page: '/projects/{project}/vpcs/{vpc}/edit', calls: [vpc] },
  { page: '/projects/{project}/vpcs/{vpc}/firewall-rules', calls: [vpc, rules] },
  {
    page: '/projects/{project}/vpcs/{vpc}/firewall-rules-new',
    calls: [vpc, rules, everyInstance, everyVpc, everySubnet],
  },
  {
    page: '/projects/{project}/vpcs/{vpc}/firewall-rules-new/{rule}',
    calls: [vpc, rules, everyInstance, everyVpc, everySubnet],
  },
  {
    page: '/projects/{project}/vpcs/{vpc}/firewall-rules/{rule}/edit',
    calls: [vpc, rules, everyInstance, everyVpc, everySubnet],
  },
  {
    page: '/projects/{project}/vpcs/{vpc}/subnets',
    calls: [vpc, `/v1/vpc-subnets?${inVpc}&${paged}`, `/v1/vpc-routers?${inVpc}&${all}`],
  },
  {
    page: '/projects/{project}/vpcs/{vpc}/subnets-new',
    calls: [vpc, `/v1/vpc-routers?${inVpc}&${all}`],
  },
  {
    page: '/projects/{project}/vpcs/{vpc}/subnets/{subnet}/edit',
    calls: [vpc, `/v1/vpc-subnets/{subnet}?${inVpc}`, `/v1/vpc-routers?${inVpc}&${all}`],
  },
  { page: '/projects/{project}/vpcs/{vpc}/routers', calls: [vpc, `/v1/vpc-routers?${inVpc}&${paged}`] },
  { page: '/projects/{project}/vpcs/{vpc}/routers-new', calls: [vpc] },
  { page: '/projects/{project}/vpcs/{vpc}/routers/{router}/edit', calls: [vpc, router] },
  { page: '/projects/{project}/vpcs/{vpc}/routers/{router}', calls: [vpc, router, `${routes}&${paged}`] },
  {
    page: '/projects/{project}/vpcs/{vpc}/routers/{router}/routes-new',
    calls: [router, everySubnet, everyInstance, `${gateways}&${all}`],
  },
  {
    page: '/projects/{project}/vpcs/{vpc}/routers/{router}/routes/{route}/edit',
    calls: [
      router,
      `/v1/vpc-router-routes/{route}?${inVpc}&router={router}`,
      everySubnet,
      everyInstance,
      `${gateways}&${all}`,
    ],
  },
  {
    page: '/projects/{project}/vpcs/{vpc}/internet-gateways',
    calls: [vpc, `${gateways}&${paged}`, ...ofGateway, `/v1/vpc-routers?${inVpc}&${all}`, `${routes}&${all}`],
  },
  {
    page: '/projects/{project}/vpcs/{vpc}/internet-gateways/{gateway}',
    calls: [`/v1/internet-gateways/{gateway}?${inVpc}`, ...ofGateway],
  },
  {
    page: '/projects/{project}/floating-ips',
    calls: [`/v1/floating-ips?${inProject}&${paged}`, everyInstance, `/v1/ip-pools?${all}`],
  },
  { page: '/projects/{project}/floating-ips-new', calls: [`/v1/ip-pools?${all}`] },
  {
    page: '/projects/{project}/floating-ips/{floatingIp}/edit',
    calls: [`/v1/floating-ips/{floating_ip}?${inProject}`, '/v1/ip-pools/{pool}'],
  },
  { page: '/system/silos', calls: [`/v1/system/silos?${paged}`] },
  { page: '/system/silos-new', calls: [`/v1/system/silos?${paged}`] },
  {
    page: '/system/silos/{silo}/idps-new',
    calls: ['/v1/system/silos/{silo}', `/v1/system/identity-providers?${inSilo}&${paged}`],
  },
  {
    page: '/system/silos/{silo}/idps/saml/{provider}',
    calls: [`/v1/system/identity-providers/saml/{provider}?${inSilo}`],
  },
  {
    page: '/system/utilization',
    calls: [
      everySilo,
      `/v1/system/utilization/silos?${all}`,
      ...charts('/v1/system/metrics'),
      ...charts('/v1/system/metrics', '&silo={silo-id}'),
    ],
  },
  { page: '/system/inventory/sleds', calls: [`${hardware}/sleds?${paged}`] },
  { page: '/system/inventory/disks', calls: [`${hardware}/disks?${paged}`] },
  {
    page: '/system/inventory/sleds/{sled}/instances',
    calls: [`${hardware}/sleds/{sled_id}`, `${hardware}/sleds/{sled_id}/instances?${paged}`],
  },
  { page: '/system/networking/ip-pools-new', calls: [`/v1/system/ip-pools?${paged}`] },
  { page: '/system/networking/ip-pools/{pool}/edit', calls: ['/v1/system/ip-pools/{pool}'] },
  {
    page: '/system/networking/ip-pools/{pool}',
    calls: [
      '/v1/system/ip-pools/{pool}',
      '/v1/system/ip-pools/{pool}/utilization',
      `/v1/system/ip-pools/{pool}/ranges?${paged}`,
      `/v1/system/ip-pools/{pool}/silos?${paged}`,
      '/v1/system/silos?limit=200',
    ],
  },
  { page: '/system/networking/ip-pools/{pool}/ranges-add', calls: ['/v1/system/ip-pools/{pool}'] },
]

/** What every page asks first. */
export const everyPage = ['/v1/me', '/v1/me/groups']

const instanceForm = [
  `/v1/images?${inProject}`,
  '/v1/images',
  everyDisk,
  '/v1/me/ssh-keys',
  `/v1/ip-pools?${all}`,
  everyFloatingIp,
  everyVpc,
  `${groups}&${all}`,
]
const networking = [...header, everyFloatingIp, `/v1/ip-pools?${all}`, everyVpc]

export const pagesOf2025: readonly ConsolePage[] = [
  ...shared,
  { page: '/images/{image}/edit', calls: [`/v1/images?${paged}`, '/v1/images/{image-id}'] },
  {
    page: '/projects/{project}/images/{image}/edit',
    calls: [`/v1/images?${inProject}&${paged}`, `/v1/images/{image}?${inProject}`],
  },
  { page: '/projects/{project}/instances', calls: [`/v1/instances?${inProject}&${paged}`] },
  { page: '/projects/{project}/instances-new', calls: instanceForm },
  { page: '/projects/{project}/instances/{instance}/networking', calls: networking },
  {
    page: '/system/silos/{silo}',
    calls: [
      '/v1/system/silos/{silo}',
      '/v1/system/utilization/silos/{silo}',
      `/v1/system/identity-providers?${inSilo}&${paged}`,
      `/v1/system/silos/{silo}/ip-pools?${paged}`,
    ],
  },
  {
    page: '/system/networking/ip-pools',
    calls: [`/v1/system/ip-pools?${paged}`, '/v1/system/ip-pools/{pool}/utilization'],
  },
]

const silo = '/v1/system/silos/{silo}'
const subnetPool = '/v1/system/subnet-pools/{external_subnets}'

export const pagesOf2026: readonly ConsolePage[] = [
  ...shared,
  { page: '/images/{image}', calls: [`/v1/images?${paged}`, '/v1/images/{image-id}'] },
  {
    page: '/projects/{project}/images/{image}',
    calls: [`/v1/images?${inProject}&${paged}`, `/v1/images/{image}?${inProject}`],
  },
  {
    page: '/projects/{project}/instances',
    calls: [
      `/v1/instances?${inProject}&${paged}`,
      `/v1/instances/{instance}/external-ips?${inProject}`,
      everyInstance,
    ],
  },
  { page: '/projects/{project}/instances-new', calls: [...instanceForm, everySubnet] },
  {
    page: '/projects/{project}/instances/{instance}/networking',
    calls: [
      ...networking,
      everySubnet,
      `/v1/instances/{instance}/external-subnets?${inProject}`,
      `/v1/external-subnets?${inProject}&${all}`,
    ],
  },
  {
    page: '/projects/{project}/disks/{disk}',
    calls: [`/v1/disks/{disk}?${inProject}`, '/v1/disks/{disk-id}', '/v1/snapshots/{snapshot-id}'],
  },
  {
    page: '/projects/{project}/external-subnets',
    calls: [
      `/v1/external-subnets?${inProject}&${paged}`,
      everyInstance,
      `/v1/subnet-pools?${all}`,
      '/v1/subnet-pools/{external_subnets}',
    ],
  },
  { page: '/projects/{project}/external-subnets-new', calls: [`/v1/subnet-pools?${all}`] },
  {
    page: '/projects/{project}/external-subnets/{externalSubnet}/edit',
    calls: [`/v1/external-subnets/{external_subnet}?${inProject}`, '/v1/subnet-pools/{external_subnets}'],
  },
  { page: '/system/access', calls: ['/v1/system/policy', '/v1/users', '/v1/groups', everySilo] },
  {
    page: '/system/silos/{silo}/idps',
    calls: [silo, `/v1/system/identity-providers?${inSilo}&${paged}`],
  },
  {
    page: '/system/silos/{silo}/ip-pools',
    calls: [silo, `${silo}/ip-pools?${paged}`, `/v1/system/ip-pools?${all}&assignment=silos`],
  },
  {
    page: '/system/silos/{silo}/subnet-pools',
    calls: [silo, `${silo}/subnet-pools?${paged}`, `/v1/system/subnet-pools?${all}`],
  },
  { page: '/system/silos/{silo}/quotas', calls: [silo, '/v1/system/utilization/silos/{silo}'] },
  { page: '/system/silos/{silo}/fleet-roles', calls: [silo] },
  { page: '/system/silos/{silo}/scim', calls: [silo, `/v1/system/scim/tokens?${inSilo}`] },
  {
    page: '/system/networking/ip-pools',
    calls: [
      `/v1/system/ip-pools?${paged}&assignment=silos`,
      '/v1/system/ip-pools/{pool}/utilization',
      `/v1/system/ip-pools?${all}&assignment=silos`,
    ],
  },
  {
    page: '/system/networking/subnet-pools',
    calls: [`/v1/system/subnet-pools?${paged}`, `${subnetPool}/utilization`],
  },
  { page: '/system/networking/subnet-pools-new', calls: [`/v1/system/subnet-pools?${paged}`] },
  {
    page: '/system/networking/subnet-pools/{pool}',
    calls: [
      subnetPool,
      `${subnetPool}/utilization`,
      `${subnetPool}/members?${paged}`,
      `${subnetPool}/silos?${paged}`,
      everySilo,
    ],
  },
  { page: '/system/networking/subnet-pools/{pool}/edit', calls: [subnetPool] },
  { page: '/system/networking/subnet-pools/{pool}/members-add', calls: [subnetPool] },
  {
    page: '/system/update',
    calls: ['/v1/system/update/status', `/v1/system/update/repositories?${all}`],
  },
]

import { furnishNetwork } from './network-steps.ts'
import { type Fill, placesIn } from './places.ts'
import type { Api } from './scenes.ts'

type Shown = [role: 'button' | 'link' | 'heading' | 'checkbox' | 'tabpanel' | 'dialog', name: string]
type Screen = readonly [name: string, path: string, isSignedIn: boolean, shown: Shown]

/** Every screen by area, with the element that arrives last. */
export const screens: Readonly<Record<string, readonly Screen[]>> = {
  'signing in': [
    ['sign-in, silo unknown', '/login?silo=', false, ['button', 'Continue']],
    ['sign-in, silo to choose', '/login', false, ['button', 'demo A silo for trying things out']],
    ['sign-in', '/login/demo/local', false, ['button', 'Sign in']],
    [
      'sign-in, identity provider',
      '/login/demo/saml/corporate?refused=400',
      false,
      ['link', 'Sign in with corporate'],
    ],
    ['test sign-in, done', '/login/tested', false, ['heading', 'Test sign-in complete']],
    ['sign-in, done elsewhere', '/login/done', true, ['link', 'continue here']],
    ['device', '/device/verify', false, ['button', 'Log in on device']],
    ['device, done', '/device/success', false, ['heading', 'Device logged in']],
    ['nothing there', '/no/such/page', true, ['heading', 'Page not found']],
  ],
  'projects and instances': [
    ['projects', '/projects', true, ['link', 'playground']],
    ['new project', '/projects-new', true, ['button', 'Create project']],
    ['edit project', '/projects/:project/edit', true, ['button', 'Update project']],
    ['instances', '/projects/:project/instances', true, ['checkbox', 'Select walker']],
    [
      'instances, none found',
      '/projects/:project/instances?name=other',
      true,
      ['heading', 'Nothing matches'],
    ],
    ['new instance', '/projects/:project/instances-new', true, ['heading', 'Quota headroom']],
    ['clone an instance', '/projects/:project/instances-new?from=walker', true, ['heading', 'Capacity']],
    ['instance, connect', '/projects/:project/instances/walker/connect', true, ['heading', 'SSH']],
    [
      'instance, CPU metrics',
      '/projects/:project/instances/walker/metrics/cpu',
      true,
      ['heading', 'CPU Utilization: Running'],
    ],
    [
      'instance, disk metrics',
      '/projects/:project/instances/walker/metrics/disk',
      true,
      ['heading', 'Disk Flushes'],
    ],
    [
      'instance, network metrics',
      '/projects/:project/instances/walker/metrics/network',
      true,
      ['heading', 'Packets Dropped'],
    ],
    ['instance, settings', '/projects/:project/instances/walker/settings', true, ['link', 'apart']],
    [
      'serial console',
      '/projects/:project/instances/walker/serial-console',
      true,
      ['button', 'Scroll to bottom'],
    ],
    ['affinity groups', '/projects/:project/affinity', true, ['link', 'apart']],
    ['new affinity group', '/projects/:project/affinity-new', true, ['button', 'Add group']],
    ['affinity group', '/projects/:project/affinity/apart', true, ['link', 'walker']],
    ['edit affinity group', '/projects/:project/affinity/apart/edit', true, ['button', 'Edit group']],
    ['affinity groups, same sled', '/projects/:project/affinity-groups', true, ['link', 'together']],
    [
      'new affinity group, same sled',
      '/projects/:project/affinity-groups-new',
      true,
      ['button', 'Add group'],
    ],
    [
      'affinity group, same sled',
      '/projects/:project/affinity-groups/together',
      true,
      ['button', 'Add instance'],
    ],
    [
      'edit affinity group, same sled',
      '/projects/:project/affinity-groups/together/edit',
      true,
      ['button', 'Edit group'],
    ],
  ],
  storage: [
    ['instance, storage', '/projects/:project/instances/walker/storage', true, ['heading', 'No other disks']],
    ['disks', '/projects/:project/disks', true, ['link', 'walker']],
    ['new disk', '/projects/:project/disks-new', true, ['button', 'Create disk']],
    ['snapshots', '/projects/:project/snapshots', true, ['heading', 'No snapshots']],
    ['new snapshot', '/projects/:project/snapshots-new', true, ['button', 'Create snapshot']],
    ['project images', '/projects/:project/images', true, ['heading', 'No images']],
    ['upload image', '/projects/:project/images-new', true, ['button', 'Upload image']],
    ['silo images', '/images', true, ['link', 'alpine-3-22']],
    ['image', '/images/alpine-3-22/edit', true, ['heading', 'Silo image']],
    ['utilization', '/utilization', true, ['heading', 'Storage (TiB)']],
    ['metrics', '/projects/:project/metrics', true, ['button', 'Run query']],
    ['saved queries', '/projects/:project/saved-queries', true, ['link', 'walkers-cpu']],
    ['new saved query', '/projects/:project/saved-queries-new', true, ['button', 'Create saved query']],
    ['saved query', '/projects/:project/saved-queries/walkers-cpu', true, ['heading', 'History']],
    [
      'edit saved query',
      '/projects/:project/saved-queries/walkers-cpu/edit',
      true,
      ['button', 'Update saved query'],
    ],
  ],
  'firewall and subnets': [
    ['VPCs', '/projects/:project/vpcs', true, ['link', '3 firewall rules']],
    ['new VPC', '/projects/:project/vpcs-new', true, ['button', 'Create VPC']],
    ['edit VPC', '/projects/:project/vpcs/default/edit', true, ['button', 'Update VPC']],
    [
      'firewall rules',
      '/projects/:project/vpcs/default/firewall-rules?instance=walker&from=internet&to=instance:walker&packet=tcp:22',
      true,
      ['button', 'Check packet'],
    ],
    ['new firewall rule', '/projects/:project/vpcs/default/firewall-rules-new', true, ['button', 'Add rule']],
    [
      'edit firewall rule',
      '/projects/:project/vpcs/default/firewall-rules/many-filters/edit',
      true,
      ['button', 'Update rule'],
    ],
    ['subnets', '/projects/:project/vpcs/default/subnets', true, ['link', 'New subnet']],
    ['new subnet', '/projects/:project/vpcs/default/subnets-new', true, ['button', 'Create subnet']],
    [
      'edit subnet',
      '/projects/:project/vpcs/default/subnets/default/edit',
      true,
      ['button', 'Update subnet'],
    ],
    ['VPC map', '/projects/:project/vpcs/default/map', true, ['link', 'walker,']],
    ['VPC map as tables', '/projects/:project/vpcs/default/map?view=table', true, ['link', 'walker']],
  ],
  'routes and addresses': [
    [
      'instance, networking',
      '/projects/:project/instances/walker/networking',
      true,
      ['button', 'Add network interface'],
    ],
    ['routers', '/projects/:project/vpcs/default/routers', true, ['link', 'edge']],
    ['new router', '/projects/:project/vpcs/default/routers-new', true, ['button', 'Create router']],
    ['edit router', '/projects/:project/vpcs/default/routers/edge/edit', true, ['button', 'Update router']],
    ['router', '/projects/:project/vpcs/default/routers/edge', true, ['link', 'New route']],
    ['system router', '/projects/:project/vpcs/default/routers/system', true, ['button', 'New route']],
    [
      'new route',
      '/projects/:project/vpcs/default/routers/edge/routes-new',
      true,
      ['button', 'Create route'],
    ],
    [
      'edit route',
      '/projects/:project/vpcs/default/routers/edge/routes/other-site/edit',
      true,
      ['button', 'Update route'],
    ],
    [
      'route of the system',
      '/projects/:project/vpcs/default/routers/system/routes/default/edit',
      true,
      ['button', 'Update route'],
    ],
    ['internet gateways', '/projects/:project/vpcs/default/internet-gateways', true, ['link', '2 routes']],
    [
      'new internet gateway',
      '/projects/:project/vpcs/default/internet-gateways-new',
      true,
      ['button', 'Create internet gateway'],
    ],
    [
      'internet gateway',
      '/projects/:project/vpcs/default/internet-gateways/default',
      true,
      ['heading', 'Routes targeting this gateway'],
    ],
    ['floating IPs', '/projects/:project/floating-ips', true, ['link', 'walker']],
    ['new floating IP', '/projects/:project/floating-ips-new', true, ['button', 'Create floating IP']],
    ['edit floating IP', '/projects/:project/floating-ips/buoy/edit', true, ['link', 'walker']],
  ],
  probes: [
    ['probes', '/projects/:project/probes', true, ['link', 'GS-001']],
    ['new probe', '/projects/:project/probes-new', true, ['button', 'Create probe']],
  ],
  'IP pools': [
    ['IP pools', '/system/networking/ip-pools', true, ['link', 'external']],
    ['new IP pool', '/system/networking/ip-pools-new', true, ['button', 'Create IP pool']],
    ['IP pool', '/system/networking/ip-pools/external', true, ['link', 'Add range']],
    ['edit IP pool', '/system/networking/ip-pools/external/edit', true, ['button', 'Update IP pool']],
    ['add IP range', '/system/networking/ip-pools/external/ranges-add', true, ['button', 'Add IP range']],
    [
      'IP pool, linked silos',
      '/system/networking/ip-pools/external?tab=silos',
      true,
      ['button', 'Link silo'],
    ],
    [
      'IP pool, addresses',
      '/system/networking/ip-pools/external?tab=addresses',
      true,
      ['tabpanel', 'Addresses'],
    ],
    ['service pool', '/system/networking/ip-pools-service', true, ['link', 'Add range']],
    [
      'add IP range to the service pool',
      '/system/networking/ip-pools-service/ranges-add',
      true,
      ['button', 'Add IP range'],
    ],
  ],
  alerts: [
    ['system saved queries', '/system/saved-queries', true, ['link', 'hot-sleds']],
    ['new system saved query', '/system/saved-queries-new', true, ['button', 'Create saved query']],
    ['system saved query', '/system/saved-queries/hot-sleds', true, ['heading', 'History']],
    [
      'edit system saved query',
      '/system/saved-queries/hot-sleds/edit',
      true,
      ['button', 'Update saved query'],
    ],
    ['alert receivers', '/system/alerts', true, ['link', 'pager']],
    ['new alert receiver', '/system/alerts-new', true, ['button', 'Create alert receiver']],
    ['alert receiver', '/system/alerts/pager', true, ['heading', 'No deliveries']],
    ['alert receiver, none found', '/system/alerts/pager?state=failed', true, ['heading', 'Nothing matches']],
    [
      'alert receiver, subscriptions',
      '/system/alerts/pager?tab=subscriptions',
      true,
      ['link', 'Add subscription'],
    ],
    ['alert receiver, secrets', '/system/alerts/pager?tab=secrets', true, ['link', 'Add secret']],
    ['edit alert receiver', '/system/alerts/pager/edit', true, ['button', 'Update alert receiver']],
    ['add subscription', '/system/alerts/pager/subscriptions-add', true, ['button', 'Add subscription']],
    ['add secret', '/system/alerts/pager/secrets-add', true, ['button', 'Add secret']],
  ],
  'support bundles': [
    ['support bundles', '/system/support-bundles', true, ['heading', 'Support bundles']],
    ['new support bundle', '/system/support-bundles-new', true, ['button', 'Create support bundle']],
    ['support bundle', '/system/support-bundles/:bundle', true, ['button', 'versions.json']],
    [
      'edit support bundle',
      '/system/support-bundles/:bundle/edit',
      true,
      ['button', 'Update support bundle'],
    ],
  ],
  updates: [
    ['system update', '/system/update', true, ['heading', 'System Update']],
    ['upload release', '/system/update-upload', true, ['button', 'Upload release']],
    ['add trust root', '/system/update-trust-roots-new', true, ['button', 'Add trust root']],
  ],
  silos: [
    ['silos', '/system/silos', true, ['link', 'demo']],
    ['new silo', '/system/silos-new', true, ['button', 'Create silo']],
    ['silo, identity providers', '/system/silos/demo/idps', true, ['heading', 'No identity providers']],
    ['new identity provider', '/system/silos/forge/idps-new', true, ['button', 'Create provider']],
    ['identity provider', '/system/silos/forge/idps/saml/corporate', true, ['heading', 'Test sign-in']],
    ['silo, IP pools', '/system/silos/demo/ip-pools', true, ['button', 'Link pool']],
    ['silo, quotas', '/system/silos/demo/quotas', true, ['button', 'Edit quotas']],
    ['silo, fleet roles', '/system/silos/demo/fleet-roles', true, ['heading', 'demo']],
    ['silo, users', '/system/silos/demo/users', true, ['link', 'New user']],
    ['new user', '/system/silos/demo/users-new', true, ['button', 'Create user']],
    ['user of a silo', '/system/silos/lagoon/users/:invited', true, ['heading', 'tomas']],
    ['silo, groups', '/system/silos/demo/groups', true, ['heading', 'demo']],
    ['silo, projects', '/system/silos/demo/projects', true, ['heading', 'demo']],
    ['silo, certificates', '/system/silos/forge/certificates', true, ['button', 'Add TLS certificate']],
  ],
  inventory: [
    ['sleds', '/system/inventory/sleds', true, ['link', 'GS-001']],
    ['sled', '/system/inventory/sleds/:sled/instances', true, ['heading', 'Sled GS-001']],
    ['sled disks', '/system/inventory/sleds/:sled/disks', true, ['heading', 'Sled GS-001']],
    ['sled, drained', '/system/inventory/sleds/:drained/instances', true, ['heading', 'Drain done']],
    ['rack', '/system/inventory/racks', true, ['link', 'GS-001']],
    ['disks of sleds', '/system/inventory/disks', true, ['heading', 'Inventory']],
    ['switches', '/system/inventory/switches', true, ['heading', 'Inventory']],
  ],
  people: [
    ['project access', '/projects/:project/access', true, ['button', 'Add user or group']],
    ['silo access', '/access', true, ['button', 'Add user or group']],
    ['audit log of the silo', '/audit-log', true, ['heading', 'Audit log']],
    ['audit record of the silo', '/audit-log?record=:record', true, ['heading', 'Changes']],
    ['certificates', '/certificates', true, ['button', 'Add TLS certificate']],
    ['users', '/users', true, ['link', 'viewer']],
    ['user', '/users/:user', true, ['heading', 'viewer']],
    ['groups', '/users/groups', true, ['link', 'engineers']],
    ['group', '/users/groups/:group', true, ['heading', 'engineers']],
    ['profile', '/settings/profile', true, ['heading', 'No groups']],
    ['SSH keys', '/settings/ssh-keys', true, ['heading', 'No SSH keys']],
    ['add SSH key', '/settings/ssh-keys-new', true, ['button', 'Add SSH key']],
    ['access tokens', '/settings/access-tokens', true, ['button', 'Edit']],
    ['security', '/settings/security', true, ['button', 'Edit']],
    ['sessions', '/settings/sessions', true, ['button', 'End all others']],
  ],
  'the rack network': [
    ['fabric', '/system/networking/fabric', true, ['button', 'Apply settings']],
    ['port settings', '/system/networking/port-settings', true, ['link', 'uplink']],
    ['new port settings', '/system/networking/port-settings-new', true, ['button', 'Create port settings']],
    ['settings of a port', '/system/networking/port-settings/uplink', true, ['heading', 'BGP peers']],
    [
      'replace port settings',
      '/system/networking/port-settings/uplink/edit',
      true,
      ['button', 'Review change'],
    ],
    ['BGP', '/system/networking/bgp', true, ['heading', 'Configurations']],
    [
      'BGP session',
      '/system/networking/bgp?session=switch0%20203.0.113.1',
      true,
      ['heading', 'Learned networks'],
    ],
    ['new BGP configuration', '/system/networking/bgp-new', true, ['button', 'Create BGP configuration']],
    ['announce sets', '/system/networking/announce-sets', true, ['tabpanel', 'Announce sets']],
    ['new announce set', '/system/networking/announce-sets-new', true, ['button', 'Create announce set']],
    [
      'replace networks',
      '/system/networking/announce-sets/announced/edit',
      true,
      ['button', 'Replace networks'],
    ],
    ['BFD', '/system/networking/bfd', true, ['tabpanel', 'BFD']],
    ['new BFD session', '/system/networking/bfd-new', true, ['button', 'Enable BFD session']],
    ['loopback addresses', '/system/networking/loopback-addresses', true, ['tabpanel', 'Loopback addresses']],
    [
      'new loopback address',
      '/system/networking/loopback-addresses-new',
      true,
      ['button', 'Create loopback address'],
    ],
    ['address lot', '/system/networking/address-lots/uplinks', true, ['heading', 'Blocks']],
    ['address lots', '/system/networking/address-lots', true, ['tabpanel', 'Address lots']],
    ['new address lot', '/system/networking/address-lots-new', true, ['button', 'Create address lot']],
    ['allow list', '/system/networking/allow-list', true, ['heading', 'Inbound ICMP']],
  ],
  'the system': [
    ['system overview', '/system', true, ['heading', 'Open issues']],
    ['issues', '/system/issues', true, ['heading', 'Issues']],
    ['audit log', '/system/audit-log', true, ['heading', 'Audit log']],
    ['audit record', '/system/audit-log?record=:record', true, ['heading', 'Changes']],
    ['system utilization', '/system/utilization', true, ['heading', 'Capacity estimate']],
    ['system utilization, metrics', '/system/utilization?tab=metrics', true, ['heading', 'Memory']],
    [
      'system metrics',
      '/system/metrics?q=get%20hardware_component%3Atemperature%20%7C%20filter%20timestamp%20%3E%20%40now()%20-%201h',
      true,
      ['heading', 'Result'],
    ],
    [
      'system metrics, table',
      '/system/metrics?q=get%20hardware_component%3Atemperature%20%7C%20last%205&view=table',
      true,
      ['heading', 'Result'],
    ],
    ['fleet access', '/system/access', true, ['heading', 'Users with a fleet role']],
    ['built-in users', '/system/built-in-users', true, ['link', 'db-init']],
    ['built-in user', '/system/built-in-users/db-init', true, ['dialog', 'Built-in user']],
  ],
}

/**
 * Creates one of everything, so that screens are not empty; returns a function that fills in a path's
 * placeholders.
 */
export async function furnish(api: Api, project: string): Promise<Fill> {
  await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, {
    name: 'apart',
    description: 'keeps its members on different sleds',
    policy: 'allow',
    failure_domain: 'sled',
  })
  await api('member', 'POST', `/v1/affinity-groups?project=${project}`, {
    name: 'together',
    description: 'keeps its members on one sled',
    policy: 'allow',
    failure_domain: 'sled',
  })
  await api('member', 'POST', `/v1/floating-ips?project=${project}`, {
    name: 'buoy',
    description: 'where guests come in',
  })
  await api('member', 'POST', `/v1/instances?project=${project}`, {
    name: 'walker',
    anti_affinity_groups: ['apart'],
    external_ips: [{ type: 'ephemeral' }, { type: 'floating', floating_ip: 'buoy' }],
    description: 'to look at',
    ncpus: 2,
    memory: 2 * 1024 ** 3,
    hostname: 'walker',
    boot_disk: {
      type: 'create',
      name: 'walker-boot',
      description: '',
      size: 1024 ** 3,
      disk_source: { type: 'blank', block_size: 512 },
    },
  })
  const inVpc = `project=${project}&vpc=default`
  await api('member', 'PUT', `/v1/vpc-firewall-rules?${inVpc}`, {
    rules: [
      {
        name: 'many-filters',
        description: 'a rule with something of everything',
        status: 'enabled',
        direction: 'inbound',
        action: 'allow',
        priority: 300,
        targets: ['walker', 'runner', 'rider'].map((value) => ({ type: 'instance', value })),
        filters: {
          hosts: [{ type: 'ip_net', value: '198.51.100.0/24' }],
          ports: ['22', '8000-8100'],
          protocols: [{ type: 'tcp' }, { type: 'icmp', value: { icmp_type: 3, code: '0-4' } }],
        },
      },
      {
        name: 'deny-mail',
        description: '',
        status: 'disabled',
        direction: 'outbound',
        action: 'deny',
        priority: 400,
        targets: [{ type: 'subnet', value: 'default' }],
        filters: { ports: ['25'] },
      },
      {
        name: 'allow-ssh',
        description: '',
        status: 'enabled',
        direction: 'inbound',
        action: 'allow',
        priority: 65_534,
        targets: [{ type: 'vpc', value: 'default' }],
        filters: { ports: ['22'], protocols: [{ type: 'tcp' }] },
      },
    ],
  })
  await api('member', 'POST', `/v1/vpc-routers?${inVpc}`, { name: 'edge', description: 'ways out' })
  for (const [name, target] of [
    ['other-site', { type: 'instance', value: 'walker' }],
    ['same-way', { type: 'drop' }],
  ] as const)
    await api('member', 'POST', `/v1/vpc-router-routes?${inVpc}&router=edge`, {
      name,
      description: '',
      destination: { type: 'ip_net', value: '10.0.0.0/8' },
      target,
    })
  const cpu = 'get virtual_machine:vcpu_usage | filter timestamp > @now() - 5m | align mean_within(1m)'
  await api('member', 'POST', `/ext/v1/metric-queries?project=${project}`, {
    name: 'walkers-cpu',
    description: 'whether they are busy',
    query: cpu,
    threshold: { comparison: 'above', value: 4.5e9, for_seconds: 300 },
  })
  await api('admin', 'POST', '/ext/v1/metric-queries', {
    name: 'hot-sleds',
    description: '',
    query: 'get hardware_component:temperature | filter timestamp > @now() - 5m | last 1',
    threshold: { comparison: 'above', value: 1000, for_seconds: 60 },
  }).catch(() => undefined)
  // The screens of all projects show the same one, which gets no alerts.
  await api('admin', 'POST', '/v1/webhook-receivers', {
    name: 'pager',
    description: 'calls the people on duty',
    endpoint: 'https://alerts.example.com/hook',
    secrets: ['told-to-nobody'],
    subscriptions: ['maintenance.**', 'maintenance.*.began'],
  }).catch(() => undefined)
  await furnishNetwork(api)
  const fill = await placesIn(api, project)
  // Names of probes are unique across projects.
  await api('admin', 'POST', `/experimental/v1/probes?project=${project}`, {
    name: `sounder-${project}`,
    description: 'asks from the first sled',
    sled: fill(':sled'),
  })
  const drains = fill('/ext/v1/system/sleds/:drained/drains')
  const { items } = (await api('admin', 'GET', drains)) as { items: unknown[] }
  if (items.length === 0) await api('admin', 'POST', drains, { mode: 'stop' })
  return fill
}

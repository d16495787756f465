/** The pages of the API's reference: which tags of the contract they have, and which families below `/ext/v1`. */
export interface ApiArea {
  slug: string
  title: string
  lead: string
  tags: readonly string[]
  families: readonly string[]
}

export const apiAreas: readonly ApiArea[] = [
  {
    slug: 'api-instances',
    title: 'Instances',
    lead: 'Instances, their placement, actions on many, and affinity groups.',
    tags: ['instances', 'affinity'],
    families: [
      'instances',
      'instance-actions',
      'instance-batches',
      'instance-batch-names',
      'instance-templates',
      'placement-checks',
      'affinity-group-sizes',
      'anti-affinity-group-sizes',
      'faults',
    ],
  },
  {
    slug: 'api-storage',
    title: 'Storage',
    lead: 'Disks, snapshots, images, uploads, and schedules.',
    tags: ['disks', 'snapshots', 'images', 'image-uploads'],
    families: [
      'disks',
      'snapshots',
      'images',
      'image-uploads',
      'image-imports',
      'image-formats',
      'schedules',
    ],
  },
  {
    slug: 'api-networking',
    title: 'Networking',
    lead: 'VPCs with subnets, routers and firewall rules, floating IPs, and packet checks.',
    tags: ['vpcs', 'floating-ips', 'external-subnets'],
    families: ['vpcs', 'floating-ips', 'vpc-firewall-sizes', 'vpc-packet-checks', 'probes'],
  },
  {
    slug: 'api-projects',
    title: 'Projects and the silo',
    lead: 'Projects, the policy and settings of the own silo, its users, groups and certificates, and tags.',
    tags: ['projects', 'silos', 'policy'],
    families: [
      'users',
      'groups',
      'auth-settings',
      'service-accounts',
      'tags',
      'tag-keys',
      'tag-values',
      'tag-demand',
      'can',
      'usage',
      'fleet-users',
      'fleet-access',
    ],
  },
  {
    slug: 'api-lists',
    title: 'Lists and search',
    lead: 'Totals, values and details of filtered lists, search, names by id, and the stream of changes.',
    tags: [],
    families: [
      'favourites',
      'shared-views',
      'list-totals',
      'list-values',
      'list-details',
      'search',
      'names',
      'objects',
      'changes',
    ],
  },
  {
    slug: 'api-history',
    title: 'History and tasks',
    lead: 'Activity, restorations, plans, protection, deletion, the recycle bin, tasks and the audit log of a silo.',
    tags: [],
    families: [
      'activity',
      'past',
      'restorations',
      'saved-plans',
      'four-eyes-settings',
      'deletions',
      'deletion-plans',
      'bulk-deletions',
      'bulk-taggings',
      'protections',
      'recycle-bin',
      'recycle-bin-settings',
      'recycle-bin-use',
      'tasks',
      'audit-log',
    ],
  },
  {
    slug: 'api-metrics',
    title: 'Metrics',
    lead: 'Queries, saved queries with thresholds, and the endpoint for Prometheus.',
    tags: ['metrics', 'system/metrics', 'timeseries'],
    families: ['metrics', 'metric-queries'],
  },
  {
    slug: 'api-own-account',
    title: 'Own account',
    lead: 'The signed-in user: SSH keys, tokens, sessions, second factors, notifications and preferences.',
    tags: ['current-user', 'tokens'],
    families: ['me', 'device-denials'],
  },
  {
    slug: 'api-sign-in',
    title: 'Sign-in',
    lead: 'Sign-in with a password, by SAML and of devices, and identity providers.',
    tags: ['login', 'console-auth'],
    families: [
      'login',
      'saml-identity-providers',
      'saml-metadata-checks',
      'saml-sign-in-tests',
      'saml-acs-origin',
    ],
  },
  {
    slug: 'api-system',
    title: 'System',
    lead: 'For operators: silos, hardware, updates, the audit log, alerts and the overview of the fleet.',
    tags: [
      'system/silos',
      'system/hardware',
      'system/update',
      'system/status',
      'system/audit-log',
      'system/alerts',
    ],
    families: ['system'],
  },
  {
    slug: 'api-system-networking',
    title: 'System networking',
    lead: 'For operators: IP pools, and the network of the rack.',
    tags: ['system/networking', 'system/ip-pools', 'system/subnet-pools'],
    families: [],
  },
  {
    slug: 'api-experimental',
    title: 'Experimental',
    lead: 'Support bundles and probes, by the paths at which the base edition has them.',
    tags: ['experimental'],
    families: [],
  },
]

/** For an operation that no page above names, so that none is missing. */
export const otherArea: ApiArea = {
  slug: 'api-other',
  title: 'Other operations',
  lead: 'Operations of no other page.',
  tags: [],
  families: [],
}

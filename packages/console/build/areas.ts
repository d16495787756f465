/**
 * Features and pages that share chunks, by their folders; each other feature, and each other page of the system area,
 * is an area of its own, since few users open more than one. A folder inside of another one's is more specific.
 */
const areas: Readonly<Record<string, readonly string[]>> = {
  affinity: ['affinity', 'affinity-groups'],
  backups: ['backups'],
  'backup-targets': ['backup-targets', 'backup-targets-new'],
  alerts: ['alerts', 'raised-alerts'],
  audit: ['audit', 'audit-log'],
  // One area, because its pages share cards that would otherwise land in the shell.
  capacity: ['system-ip-pools', 'subnet-pools', 'silo-links', 'networking', 'utilization'],
  docs: ['docs'],
  deletion: ['deletion', 'networking/ip-pools-delete'],
  // Apart from the rest of the storage, whose forms are also in dialogs of instances.
  'image-uploads': ['images/upload', 'images/images-new'],
  'instance-import': ['instances/import', 'instances-import'],
  'instance-snapshot-pages': ['instance-snapshots', 'instances/snapshots'],
  instances: ['instances', 'instances-new', 'lookup'],
  map: ['vpcs/map', 'vpcs/$vpc/page/map'],
  metrics: ['metrics', 'saved-queries'],
  multicast: ['multicast', 'multicast-groups'],
  networking: ['vpcs', 'firewall', 'addresses', 'floating-ips', 'external-subnets', 'ip-pools'],
  // The frame of the system area, with what all of its pages load.
  operators: ['system/route'],
  'rack-network': ['rack-network', 'networking/rack', 'networking/address-lots', 'networking/port-settings'],
  security: ['sign-in/factors', 'sign-in/password', 'settings/security', 'settings/profile'],
  settings: ['settings', 'access-tokens', 'sessions', 'ssh-keys'],
  silos: ['silos', 'certificates'],
  storage: ['disks', 'snapshots', 'images', 'storage-pages'],
  system: ['system', 'issues'],
  updates: ['updates', 'update'],
}

/**
 * Operations that few pages use, by the files of the client. All are imported through one table, so the graph would say
 * that every page uses every one.
 */
const operations: Readonly<Record<string, readonly string[]>> = {
  'affinity-shared': ['affinity'],
  alerts: ['system-alerts'],
  // Of selections in lists, and of tasks that users cancel or repeat.
  'bulk-operations': ['extension-bulk-deletions', 'extension-bulk-taggings'],
  experimental: ['experimental'],
  // Of the pages of objects, once they are on screen.
  favourites: ['extension-favourites'],
  'image-uploads': ['image-uploads'],
  multicast: ['multicast-groups'],
  'list-work': ['extension-shared-views'],
  'found-lists': ['extension-list-details'],
  metrics: ['extension-metric-queries', 'extension-names'],
  operators: [
    'extension-system',
    'system-hardware',
    'system-silos',
    'system-ip-pools',
    'system-subnet-pools',
  ],
  // Of forms of operators and of silo admins.
  'people-changes': ['extension-users.changes', 'extension-groups.changes', 'silos.changes'],
  // Of forms and questions that show what they would do.
  'plan-operations': ['extension-saved-plans'],
  // Of cards of a VPC and of an instance, on request.
  'packet-operations': ['extension-vpc-packet-checks', 'extension-faults'],
  'pool-changes': ['system-ip-pools.changes', 'system-subnet-pools.changes'],
  'rack-network': ['system-networking'],
  // Of charts of what silos and the fleet have provisioned.
  'utilization-operations': ['system-metrics'],
  // Of the recycle bin's pages, and of dialogs that restore.
  restorations: ['extension-restorations', 'extension-recycle-bin.changes'],
  'saml-operations': [
    'extension-saml-identity-providers',
    'extension-saml-metadata-checks',
    'extension-saml-sign-in-tests',
    'extension-saml-acs-origin',
  ],
  'backup-operations': ['extension-instance-backups', 'extension-instance-backup-targets'],
  'instance-snapshot-rows': ['extension-instance-snapshots'],
  schedules: ['extension-schedules'],
  'service-accounts': ['extension-service-accounts'],
  // Of disks and images, by their lists and pages.
  'storage-changes': ['extension-disks.changes', 'images.changes'],
  'sign-in-operations': ['extension-login.changes'],
  'silo-changes': ['system-silos.changes'],
  'template-operations': ['extension-instance-templates'],
  // Of the pages of networking, which have many files already.
  'network-operations': ['vpcs.changes', 'external-subnets.changes'],
  // Read once the rows of a list are on screen, and sent by dialogs.
  tags: ['extension-tags', 'extension-tag-keys', 'extension-tag-values', 'extension-tag-demand'],
  updates: ['system-update'],
  usage: ['extension-usage'],
}

const chunkOfOperations = longestPrefix(operations, '.')

/** The chunk of these operations, if they are not part of every page. */
export function operationsChunk(id: string): string | undefined {
  const file = /\/client\/operations\/([^/]+)\.gen\.ts$/.exec(id)?.[1]
  return file && chunkOfOperations(`${file}.`)
}

const areaOfFolder = longestPrefix(areas, '/')

/** The area of a page, or of a feature's part. */
export function areaOf(id: string): string | undefined {
  const { place, isOwn } = placeOf(id) ?? {}
  if (place === undefined) return undefined
  return areaOfFolder(`${place}/`) ?? (isOwn ? place.split('/', 1)[0] : undefined)
}

/** Where files of a route folder lie that has pages of its own for most resources. */
const scope = /^(projects\/\$project|silo|system)\/(?!(index|route)$)/

/** The folders of a feature, or of a route below its project, silo or system. */
function placeOf(id: string): { place: string; isOwn: boolean } | undefined {
  // The project may be checked out in a folder that is named like a feature.
  const [, kind, rest = ''] =
    /.*\/packages\/console\/src\/(features|routes\/_console)\/(.+?)\.tsx?(\?|$)/.exec(id) ?? []
  if (kind === undefined) return undefined
  if (kind === 'features') return { place: rest, isOwn: true }
  const route = rest.replace(/(^|\/)_/g, '$1').replace(/\..*/, '')
  return { place: route.replace(scope, ''), isOwn: scope.test(route) }
}

/** The name with the longest entry that begins a path and ends there or at a separator. */
function longestPrefix(
  table: Readonly<Record<string, readonly string[]>>,
  separator: string,
): (path: string) => string | undefined {
  const entries = Object.entries(table)
    .flatMap(([name, prefixes]) => prefixes.map((prefix) => ({ name, prefix: prefix + separator })))
    .sort((one, other) => other.prefix.length - one.prefix.length)
  return (path) => entries.find(({ prefix }) => path.startsWith(prefix))?.name
}

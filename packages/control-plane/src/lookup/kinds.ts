import type { ResourceClass } from '../authz/policy.ts'
import type { Tables, TrackedName } from '../db/tables.ts'

/**
 * Everything that the floors above need to know about a kind of object. Lookup and authorisation (`need.ts`),
 * lists (`page.ts`), limits (`row-limits.ts`), the deletion of parents (`blockers.ts`), search, the
 * visibility of changes, and the contract's `Kind` (by `npm run generate`) all derive from it.
 */
export interface KindDescription {
  /** The kind's name on the change stream and in the contract, and in messages unless `addressed` says otherwise. */
  word: string
  /** The noun that people see; the plural adds an s. */
  noun: string
  /** The selector's name in paths and queries. */
  selector: string
  /**
   * The table of the parent, referenced by the column `<parent>_id`. Users belong to silos, and silos to the
   * fleet.
   */
  parent: 'fleet' | TrackedName
  /** Its resource class in the policy. */
  class: ResourceClass
  /** It may also belong to a project, and is then that project's child. */
  orProject?: true
  /** Ids resolve in every silo that the policy lets the caller see, not only in the caller's own. */
  everySilo?: true
  /** Its noun in look-up messages. */
  addressed?: string
  /** Messages for an id given together with a parent, and for a name given without one. */
  both?: string
  alone?: string
  /** Their names and descriptions have an index for substring search; they belong to a project, or are one. */
  searched?: true
  /** Rows are deleted permanently rather than marked. */
  hardDelete?: true
  /** How many a parent may have unless the setting `limits.rows.<table>` says otherwise. */
  limit?: number
  /** Its name in that setting, where it is not the table's. */
  limitName?: string
  /** The noun used when one of them blocks the deletion of its parent. */
  blocks?: string
  /** The column with the object that it is a part of or is attached to, where that is not its parent. */
  heldBy?: string
  /** Its change records are visible by this class rather than by its silo's. */
  shownBy?: ResourceClass
}

const inProject = (word: string, noun: string, selector: string, both: string, alone: string) =>
  ({
    word,
    noun,
    selector,
    parent: 'project',
    class: 'projectChild',
    both: `when providing ${both} project should not be specified`,
    alone: `${alone} or project should be specified`,
  }) as const

const under = <Parent extends TrackedName>(
  parent: Parent,
  word: string,
  noun: string,
  selector: string,
  both: string,
  alone: string,
) =>
  ({
    word,
    noun,
    selector,
    parent,
    class: 'projectNetwork',
    both: `when providing ${both} should not be specified`,
    alone: `${alone} should be specified`,
  }) as const

/**
 * By table. The commas in the messages differ, and clients see them (control plane reference, A 3). A refusal
 * to delete a parent names the first kind in this order.
 */
const described = {
  silo: { word: 'silo', noun: 'silo', selector: 'silo', parent: 'fleet', class: 'silo' },
  rack: { word: 'rack', noun: 'rack', selector: 'rack_id', parent: 'fleet', class: 'fleet' },
  sled: { word: 'sled', noun: 'sled', selector: 'sled_id', parent: 'fleet', class: 'fleet' },
  physical_disk: {
    word: 'physical-disk',
    noun: 'physical disk',
    selector: 'disk_id',
    parent: 'fleet',
    class: 'fleet',
    heldBy: 'sled_id',
  },
  disk_adoption_request: {
    word: 'disk-adoption-request',
    noun: 'request to adopt a disk',
    selector: 'physical_disk_adoption_req_id',
    parent: 'fleet',
    class: 'fleet',
    limit: 1000,
  },
  switch: { word: 'switch', noun: 'switch', selector: 'switch_id', parent: 'fleet', class: 'fleet' },
  ip_pool: {
    word: 'ip-pool',
    noun: 'IP pool',
    selector: 'pool',
    parent: 'fleet',
    class: 'fleet',
  },
  ip_pool_range: {
    word: 'ip-pool-range',
    noun: 'IP range',
    selector: 'range',
    parent: 'fleet',
    class: 'fleet',
    hardDelete: true,
  },
  subnet_pool: {
    word: 'subnet-pool',
    noun: 'subnet pool',
    selector: 'pool',
    parent: 'fleet',
    class: 'fleet',
  },
  subnet_pool_member: {
    word: 'subnet-pool-member',
    noun: 'member of a subnet pool',
    selector: 'member',
    parent: 'fleet',
    class: 'fleet',
    hardDelete: true,
  },
  address_lot: {
    word: 'address-lot',
    noun: 'address lot',
    selector: 'address_lot',
    parent: 'fleet',
    class: 'fleet',
  },
  address_lot_block: {
    word: 'address-lot-block',
    noun: 'block of an address lot',
    selector: 'address_lot_block',
    parent: 'fleet',
    class: 'fleet',
    hardDelete: true,
  },
  loopback_address: {
    word: 'loopback-address',
    noun: 'loopback address',
    selector: 'loopback_address',
    parent: 'fleet',
    class: 'fleet',
  },
  switch_port_settings: {
    word: 'switch-port-settings',
    noun: 'switch port settings',
    selector: 'port_settings',
    parent: 'fleet',
    class: 'fleet',
  },
  switch_port: {
    word: 'switch-port',
    noun: 'switch port',
    selector: 'switch_port_id',
    parent: 'fleet',
    class: 'fleet',
  },
  bgp_announce_set: {
    word: 'bgp-announce-set',
    noun: 'BGP announce set',
    selector: 'announce_set',
    parent: 'fleet',
    class: 'fleet',
  },
  bgp_config: {
    word: 'bgp-config',
    noun: 'BGP configuration',
    selector: 'bgp_config',
    parent: 'fleet',
    class: 'fleet',
  },
  bfd_session: {
    word: 'bfd-session',
    noun: 'BFD session',
    selector: 'bfd_session',
    parent: 'fleet',
    class: 'fleet',
  },
  alert_receiver: {
    word: 'alert-receiver',
    noun: 'alert receiver',
    selector: 'receiver',
    parent: 'fleet',
    class: 'fleet',
  },
  backup_target: {
    word: 'backup-target',
    noun: 'backup target',
    selector: 'backup_target',
    parent: 'fleet',
    class: 'fleet',
    limit: 20,
  },
  /** Of the fleet, or of a project. */
  metric_query: {
    word: 'metric-query',
    noun: 'saved query',
    selector: 'metric_query',
    parent: 'fleet',
    class: 'fleet',
    orProject: true,
    both: 'when providing metric_query as an ID, project should not be specified',
    limit: 200,
  },
  /** Written by deliveries themselves, whose changes are noted. */
  alert_delivery: {
    word: 'alert-delivery',
    noun: 'alert delivery',
    selector: 'delivery_id',
    parent: 'fleet',
    class: 'fleet',
    hardDelete: true,
  },
  /** Never changed, hence without change records. */
  audit: {
    word: 'audit-record',
    noun: 'audit record',
    selector: 'record_id',
    parent: 'fleet',
    class: 'fleet',
    hardDelete: true,
  },
  support_bundle: {
    word: 'support-bundle',
    noun: 'support bundle',
    selector: 'bundle_id',
    parent: 'fleet',
    class: 'fleet',
  },
  update_trust_root: {
    word: 'tuf-trust-root',
    noun: 'trust root',
    selector: 'trust_root_id',
    parent: 'fleet',
    class: 'fleet',
  },
  /** Its name is its version. */
  update_repository: {
    word: 'tuf-repo',
    noun: 'repository',
    selector: 'system_version',
    parent: 'fleet',
    class: 'fleet',
  },
  update_upload: {
    word: 'update-upload',
    noun: 'upload',
    selector: 'upload_id',
    parent: 'fleet',
    class: 'fleet',
  },
  user_builtin: {
    word: 'user-builtin',
    noun: 'built-in user',
    selector: 'user',
    parent: 'fleet',
    class: 'fleet',
  },

  silo_user: {
    word: 'silo-user',
    noun: 'user',
    selector: 'user_id',
    parent: 'silo',
    class: 'siloUser',
    limit: 100_000,
  },
  service_account: {
    word: 'service-account',
    noun: 'service account',
    selector: 'service_account',
    parent: 'silo',
    class: 'siloUser',
    orProject: true,
    both: 'when providing service_account as an ID, project should not be specified',
    limit: 500,
  },
  /** Addressed by id alone: lists have views of the same name. */
  shared_view: {
    word: 'shared-view',
    noun: 'shared view',
    selector: 'shared_view',
    parent: 'silo',
    class: 'siloView',
    orProject: true,
    limit: 200,
    shownBy: 'siloView',
  },
  silo_group: {
    word: 'silo-group',
    noun: 'group',
    selector: 'group_id',
    parent: 'silo',
    class: 'siloGroup',
    limit: 10_000,
  },
  certificate: {
    word: 'certificate',
    noun: 'certificate',
    selector: 'certificate',
    parent: 'silo',
    class: 'certificate',
    limit: 100,
    shownBy: 'certificate',
  },
  scim_token: {
    word: 'scim-token',
    noun: 'SCIM token',
    selector: 'token_id',
    parent: 'silo',
    class: 'scimToken',
    limit: 20,
    shownBy: 'scimToken',
  },
  saml_identity_provider: {
    word: 'saml-identity-provider',
    noun: 'identity provider',
    selector: 'provider',
    parent: 'silo',
    class: 'identityProvider',
    everySilo: true,
    both: 'when providing provider as an ID, silo should not be specified',
    alone: 'provider should either be a UUID or silo should be specified',
    limit: 50,
    shownBy: 'identityProvider',
  },
  project: {
    word: 'project',
    noun: 'project',
    selector: 'project',
    parent: 'silo',
    class: 'project',
    limit: 10_000,
    blocks: 'a project',
    searched: true,
  },

  ssh_key: {
    word: 'ssh-key',
    noun: 'SSH key',
    selector: 'ssh_key',
    parent: 'silo_user',
    class: 'sshKey',
    limit: 200,
  },
  console_session: {
    word: 'console-session',
    noun: 'session',
    selector: 'session_id',
    parent: 'silo_user',
    class: 'userCredentials',
    hardDelete: true,
  },
  device_access_token: {
    word: 'device-access-token',
    noun: 'access token',
    selector: 'token_id',
    parent: 'silo_user',
    class: 'userCredentials',
    hardDelete: true,
  },

  instance: {
    ...inProject('instance', 'instance', 'instance', 'instance as an ID', 'instance should either be UUID'),
    limit: 20_000,
    blocks: 'an instance',
    searched: true,
  },
  disk: {
    ...inProject('disk', 'disk', 'disk', 'disk as an ID', 'disk should either be UUID'),
    limit: 50_000,
    blocks: 'a disk',
    searched: true,
    heldBy: 'instance_id',
  },
  /** Only floating addresses have a name and a project, so look-ups find no others. */
  external_ip: {
    ...inProject(
      'external-ip',
      'floating IP',
      'floating_ip',
      'Floating IP as an ID',
      'Floating IP should either be UUID',
    ),
    addressed: 'floating-ip',
    limit: 10_000,
    limitName: 'floating_ip',
    blocks: 'a floating ip',
    searched: true,
    heldBy: 'instance_id',
  },
  external_subnet: {
    ...inProject(
      'external-subnet',
      'external subnet',
      'external_subnet',
      'external_subnet as an ID',
      'external_subnet should either be UUID',
    ),
    limit: 2000,
    blocks: 'an external subnet',
    heldBy: 'instance_id',
  },
  image: {
    word: 'image',
    noun: 'image',
    selector: 'image',
    parent: 'silo',
    class: 'siloImage',
    orProject: true,
    both: 'when providing image as an ID, project should not be specified',
    limit: 2000,
    blocks: 'a project image',
    searched: true,
    shownBy: 'siloImage',
  },
  instance_template: {
    word: 'instance-template',
    noun: 'instance template',
    selector: 'instance_template',
    parent: 'silo',
    // Those of the silo are for the same users as its images.
    class: 'siloImage',
    orProject: true,
    both: 'when providing instance_template as an ID, project should not be specified',
    limit: 200,
    shownBy: 'siloImage',
  },
  snapshot: {
    ...inProject('snapshot', 'snapshot', 'snapshot', 'snapshot as an ID,', 'snapshot should either be an ID'),
    limit: 50_000,
    blocks: 'a snapshot',
    searched: true,
    heldBy: 'disk_id',
  },
  instance_snapshot: {
    ...inProject(
      'instance-snapshot',
      'instance snapshot',
      'instance_snapshot',
      'instance_snapshot as an ID',
      'instance_snapshot should either be UUID',
    ),
    limit: 10_000,
    blocks: 'an instance snapshot',
    heldBy: 'instance_id',
  },
  instance_backup: {
    ...inProject(
      'instance-backup',
      'instance backup',
      'instance_backup',
      'instance_backup as an ID',
      'instance_backup should either be UUID',
    ),
    limit: 2000,
    blocks: 'an instance backup',
    heldBy: 'instance_id',
  },
  /**
   * Visible only to operators with a role in its project. Requests name the project even with an id (control plane
   * reference, A 15), hence no `both`. It blocks its project by its interface, which blocks the VPC: a refusal that
   * named it would disclose it.
   */
  probe: {
    word: 'probe',
    noun: 'probe',
    selector: 'probe',
    parent: 'project',
    class: 'probe',
    limit: 200,
    shownBy: 'probe',
  },
  /** Addressed by id alone: finished uploads keep their name, so names repeat. */
  image_upload: {
    ...inProject('image-upload', 'image upload', 'upload', 'upload as an ID', 'upload should be UUID'),
    limit: 200,
  },
  schedule: {
    ...inProject('schedule', 'schedule', 'schedule', 'schedule as an ID', 'schedule should either be UUID'),
    limit: 200,
  },
  vpc: {
    ...inProject('vpc', 'VPC', 'vpc', 'vpc as an ID,', 'vpc should either be an ID'),
    class: 'projectNetwork',
    limit: 1000,
    blocks: 'a vpc',
    searched: true,
  },
  affinity_group: {
    ...inProject(
      'affinity-group',
      'affinity group',
      'affinity_group',
      'affinity_group as an ID,',
      'affinity_group should either be UUID',
    ),
    limit: 5000,
    blocks: 'an affinity group',
  },
  anti_affinity_group: {
    ...inProject(
      'anti-affinity-group',
      'anti-affinity group',
      'anti_affinity_group',
      'anti_affinity_group as an ID,',
      'anti_affinity_group should either be UUID',
    ),
    limit: 5000,
    blocks: 'an anti affinity group',
  },

  vpc_subnet: {
    ...under(
      'vpc',
      'vpc-subnet',
      'subnet',
      'subnet',
      'subnet as an ID, vpc and project',
      'subnet should either be an ID or vpc',
    ),
    searched: true,
    limit: 1000,
  },
  vpc_router: {
    ...under(
      'vpc',
      'vpc-router',
      'router',
      'router',
      'router as an ID vpc and project',
      'router should either be an ID or vpc',
    ),
    limit: 1000,
  },
  vpc_firewall_rule: under('vpc', 'vpc-firewall-rule', 'firewall rule', 'rule', 'rule as an ID vpc', 'vpc'),
  router_route: {
    ...under(
      'vpc_router',
      'router-route',
      'route',
      'route',
      'route as an ID router, subnet, vpc, and project',
      'route should either be an ID or router',
    ),
    limit: 1000,
  },
  internet_gateway: {
    ...under(
      'vpc',
      'internet-gateway',
      'internet gateway',
      'gateway',
      'gateway as an ID vpc and project',
      'gateway should either be an ID or vpc',
    ),
    limit: 1000,
  },
  internet_gateway_ip_pool: under(
    'internet_gateway',
    'internet-gateway-ip-pool',
    'pool of a gateway',
    'pool',
    'pool as an ID gateway, subnet, vpc, and project',
    'pool should either be an ID or gateway',
  ),
  internet_gateway_ip_address: under(
    'internet_gateway',
    'internet-gateway-ip-address',
    'address of a gateway',
    'address',
    'address as an ID gateway, subnet, vpc, and project',
    'address should either be an ID or gateway',
  ),
  network_interface: {
    ...under(
      'instance',
      'instance-network-interface',
      'network interface',
      'interface',
      'network_interface as an id instance and project',
      'network_interface should either be a UUID or instance',
    ),
    class: 'projectChild',
  },
} as const satisfies Partial<Record<keyof Tables, KindDescription>> & Record<TrackedName, KindDescription>

export type KindName = keyof typeof described
export const kinds: Readonly<Record<KindName, KindDescription>> = described

/** Kinds of the fleet, which belong to no silo. */
export type FleetKind = {
  [Name in KindName]: (typeof described)[Name]['parent'] extends 'fleet' ? Name : never
}[KindName]

/** Kinds that a project holds directly. */
export type ProjectKind = {
  [Name in KindName]: (typeof described)[Name]['parent'] extends 'project' ? Name : never
}[KindName]

/**
 * Things that change without a row of their own. A user's are visible to that user and to callers whom the
 * class allows, and the fleet's to operators. News to a person has the id of that user.
 */
export const parts = {
  'affinity-group-member': {},
  alert: { ofFleet: true },
  'allow-list': { ofFleet: true },
  'anti-affinity-group-member': {},
  deletion: {},
  fault: { ofFleet: true },
  favourite: { toPerson: true },
  'floating-ip': {},
  'inbound-icmp': { ofFleet: true },
  'networking-settings': { ofFleet: true },
  'instance-action': {},
  'instance-backup-restore': {},
  'instance-restore': {},
  'issue-acknowledgement': { ofFleet: true },
  'list-preference': { toPerson: true },
  'multicast-group-member': { noun: 'membership in a multicast group' },
  'network-trial': { ofFleet: true },
  notification: { toPerson: true },
  policy: { noun: 'access' },
  protection: {},
  'recycled-item': {},
  restoration: {},
  'saved-plan': { noun: 'saved plan' },
  'silo-group-member': { noun: 'group members' },
  'second-factor': { ofPerson: 'userCredentials' },
  'schedule-run': {},
  'silo-auth-settings': { noun: 'sign-in settings' },
  'silo-recycle-bin': { noun: 'recycle bin settings' },
  'silo-four-eyes': { noun: 'four-eyes settings' },
  'silo-tag-demand': { noun: 'required tags' },
  'silo-quotas': { ofFleet: true, noun: 'quotas' },
  'sled-drain': { ofFleet: true },
  'rack-membership': { ofFleet: true, noun: 'members of a rack' },
  'system-update': { ofFleet: true },
  tag: {},
  task: { toPerson: true },
  'target-release': { ofFleet: true },
  'usage-prices': { ofFleet: true, noun: 'prices' },
  utilization: {},
  'vpc-network': {},
} as const satisfies Record<
  string,
  { ofPerson?: ResourceClass; toPerson?: true; ofFleet?: true; noun?: string }
>

/** Every word that a change record, or `reads` and `changes` of the contract, can name. */
export const kindWords = (): string[] =>
  [...Object.values(kinds).map(({ word }) => word), ...Object.keys(parts)].sort()

/** What people call each of them, where that is not the word itself. */
export const kindNouns = (): Record<string, string> => {
  const nouns = [
    // Of external addresses, only the floating ones are objects that people name.
    ...Object.values({ ...kinds, external_ip: undefined }).flatMap((kind) =>
      kind ? [[kind.word, kind.noun] as const] : [],
    ),
    ...Object.entries(parts).flatMap(([word, part]) => ('noun' in part ? [[word, part.noun] as const] : [])),
  ]
  const plain = (text: string) => text.replaceAll('-', ' ').toLowerCase()
  return Object.fromEntries(nouns.filter(([word, noun]) => plain(word) !== plain(noun)))
}

/** Words of things that belong to no silo, whose changes are on the stream's topic `fleet`. */
export const fleetWords = (): string[] =>
  [
    ...Object.values(kinds).flatMap(({ word, class: own }) => (own === 'fleet' ? [word] : [])),
    ...Object.entries(parts).flatMap(([word, part]) => ('ofFleet' in part ? [word] : [])),
  ].sort()

/** The tables that substring search covers. */
export const searchedTables = (Object.keys(kinds) as KindName[]).filter((table) => kinds[table].searched)

/** Kinds of which a parent may have a limited number, by their names in the settings. */
export const limitedKinds: Readonly<Record<string, KindDescription & { limit: number }>> = Object.fromEntries(
  Object.entries(kinds).flatMap(([table, kind]) =>
    kind.limit === undefined ? [] : [[kind.limitName ?? table, { ...kind, limit: kind.limit }]],
  ),
)

/** The noun for a change of this row, for tables that hold two kinds. */
export function kindOfRow(table: TrackedName, row: Record<string, unknown>): string {
  return table === 'external_ip' && row.kind === 'floating' ? 'floating-ip' : kinds[table].word
}

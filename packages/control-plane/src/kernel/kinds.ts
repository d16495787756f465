import type { ResourceClass } from '../authz/policy.ts'
import type { Tables, TrackedName } from '../db/tables.ts'
import type { Settings } from '../settings.ts'

/**
 * Everything that the kernel has to know of a kind of object. Lookup and authorisation (`need.ts`), lists (`page.ts`),
 * limits (`row-limits.ts`), the deletion of parents (`blockers.ts`), search, the visibility of changes, and the
 * contract's `Kind` (by `npm run openapi`) all read it here.
 */
export interface KindDescription {
  /** The kind's name on the change stream and in the contract, and in messages unless `addressed` says otherwise. */
  word: string
  /** What a person calls one of them; the plural takes an s. */
  noun: string
  /** The selector's name in paths and queries. */
  selector: string
  /** The table of what it belongs to, by the column `<parent>_id`. People are in silos, and silos in the fleet. */
  parent: 'fleet' | TrackedName
  /** Its rule in the policy. */
  class: ResourceClass
  /** It may lie in a project as well, and is then a child of that. */
  orProject?: true
  /** An id is found in every silo of which the policy lets the caller know, not only in their own. */
  everySilo?: true
  /** What messages call it when it is looked up. */
  addressed?: string
  /** Refusals of an id that comes with its parent, and of a name that comes without. */
  both?: string
  alone?: string
  /** Rows are deleted for good rather than marked. */
  hardDelete?: true
  /** The setting that bounds how many of them a parent has. */
  limit?: keyof Settings['limits']['rows']
  /** The words in which one of them keeps its parent from being deleted. */
  blocks?: string
  /** Its change records are shown by this rule rather than by its silo's. */
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
    class: 'projectChild',
    both: `when providing ${both} should not be specified`,
    alone: `${alone} should be specified`,
  }) as const

/**
 * By table. The commas of the refusals differ and clients see them (control plane reference, A 3). A refusal to delete
 * a parent names the first kind of this order.
 */
const described = {
  silo: { word: 'silo', noun: 'silo', selector: 'silo', parent: 'fleet', class: 'silo' },
  sled: { word: 'sled', noun: 'sled', selector: 'sled', parent: 'fleet', class: 'fleet' },
  ip_pool: {
    word: 'ip-pool',
    noun: 'IP pool',
    selector: 'pool',
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
    limit: 'silo_user',
  },
  silo_group: {
    word: 'silo-group',
    noun: 'group',
    selector: 'group_id',
    parent: 'silo',
    class: 'siloGroup',
    limit: 'silo_group',
  },
  certificate: {
    word: 'certificate',
    noun: 'certificate',
    selector: 'certificate',
    parent: 'silo',
    class: 'certificate',
    limit: 'certificate',
    shownBy: 'certificate',
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
    limit: 'saml_identity_provider',
    shownBy: 'identityProvider',
  },
  project: {
    word: 'project',
    noun: 'project',
    selector: 'project',
    parent: 'silo',
    class: 'project',
    limit: 'project',
    blocks: 'a project',
  },

  ssh_key: {
    word: 'ssh-key',
    noun: 'SSH key',
    selector: 'ssh_key',
    parent: 'silo_user',
    class: 'sshKey',
    limit: 'ssh_key',
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
    limit: 'instance',
    blocks: 'an instance',
  },
  disk: {
    ...inProject('disk', 'disk', 'disk', 'disk as an ID', 'disk should either be UUID'),
    limit: 'disk',
    blocks: 'a disk',
  },
  /** Only floating addresses have a name and a project, so the others are never found. */
  external_ip: {
    ...inProject(
      'external-ip',
      'floating IP',
      'floating_ip',
      'Floating IP as an ID',
      'Floating IP should either be UUID',
    ),
    addressed: 'floating-ip',
    limit: 'floating_ip',
    blocks: 'a floating ip',
  },
  image: {
    word: 'image',
    noun: 'image',
    selector: 'image',
    parent: 'silo',
    class: 'siloImage',
    orProject: true,
    both: 'when providing image as an ID, project should not be specified',
    limit: 'image',
    blocks: 'a project image',
    shownBy: 'siloImage',
  },
  snapshot: {
    ...inProject('snapshot', 'snapshot', 'snapshot', 'snapshot as an ID,', 'snapshot should either be an ID'),
    limit: 'snapshot',
    blocks: 'a snapshot',
  },
  /** Addressed by id alone: those that ended share their name with others. */
  image_upload: {
    ...inProject('image-upload', 'image upload', 'upload', 'upload as an ID', 'upload should be UUID'),
    limit: 'image_upload',
  },
  vpc: {
    ...inProject('vpc', 'VPC', 'vpc', 'vpc as an ID,', 'vpc should either be an ID'),
    limit: 'vpc',
    blocks: 'a vpc',
  },
  affinity_group: {
    ...inProject(
      'affinity-group',
      'affinity group',
      'affinity_group',
      'affinity_group as an ID,',
      'affinity_group should either be UUID',
    ),
    limit: 'affinity_group',
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
    limit: 'anti_affinity_group',
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
    limit: 'vpc_subnet',
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
    limit: 'vpc_router',
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
    limit: 'router_route',
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
    limit: 'internet_gateway',
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
  network_interface: under(
    'instance',
    'instance-network-interface',
    'network interface',
    'interface',
    'network_interface as an id instance and project',
    'network_interface should either be a UUID or instance',
  ),
} as const satisfies Partial<Record<keyof Tables, KindDescription>> & Record<TrackedName, KindDescription>

export type KindName = keyof typeof described
export const kinds: Readonly<Record<KindName, KindDescription>> = described

/** Kinds of the fleet itself: they are in no silo. */
export type FleetKind = {
  [Name in KindName]: (typeof described)[Name]['parent'] extends 'fleet' ? Name : never
}[KindName]

/**
 * What changes without being an object with a row of its own. A person's are shown to that person and to those whom
 * the rule lets see what is theirs.
 */
export const parts = {
  'affinity-group-member': {},
  'anti-affinity-group-member': {},
  fault: {},
  'floating-ip': {},
  'instance-action': {},
  policy: {},
  'second-factor': { ofPerson: 'userCredentials' },
  'silo-auth-settings': {},
  'silo-quotas': {},
  utilization: {},
} as const satisfies Record<string, { ofPerson?: ResourceClass }>

/** Every word that a change record, or `reads` and `changes` of the contract, can name. */
export const kindWords = (): string[] =>
  [...Object.values(kinds).map(({ word }) => word), ...Object.keys(parts)].sort()

/** What a change of these is called where people see two kinds in one table. */
export function kindOfRow(table: TrackedName, row: Record<string, unknown>): string {
  return table === 'external_ip' && row.kind === 'floating' ? 'floating-ip' : kinds[table].word
}

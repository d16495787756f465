import { instanceBackupAllows, instanceBackupStates } from '../backups/instance-backup.rules.ts'
import { runStates } from '../compute/instance.rules.ts'
import type { TemplateField } from '../compute/instance-template.rules.ts'
import type { Kind } from '../kind.gen.ts'
import type { PoolType } from '../network/ip-pool.rules.ts'
import type { RouterKind } from '../network/vpc-router.rules.ts'
import type { IdentityMode } from '../people/silo.rules.ts'
import type { RunState, ScheduleAction } from '../schedules/schedule.rules.ts'
import { diskAllows, diskStates, diskTypes } from '../storage/disk.rules.ts'
import { instanceSnapshotAllows, instanceSnapshotStates } from '../storage/instance-snapshot.rules.ts'
import { snapshotAllows, snapshotStates } from '../storage/snapshot.rules.ts'
import {
  common,
  described,
  field,
  type FilterField,
  identity,
  state,
  suggested,
} from './filter-field.rules.ts'

/** What totals can add up. */
type Sum = 'ncpus' | 'memory' | 'size'

interface ListKind {
  /** As in `floating IP`; its plural has an `s`. */
  noun: string
  /** The title of its fields in the documentation, where that is not the plural. */
  title?: string
  /** The path of its list below `/ext/v1/`. */
  path: string
  /** The end of the path of its page in a project. */
  page?: string
  /** Where its objects are, which decides who may list them and how a request narrows the list. */
  scope: 'project' | 'vpc' | 'silo' | 'fleet'
  /** Without a project, its list has those of the silo itself, which belong to no project. */
  withoutProject?: 'silo'
  /** Its word on the change stream, where it has another one. */
  word?: Kind
  fields: Readonly<Record<string, FilterField>>
  /** What totals add up besides the count. */
  sums: readonly Sum[]
  /** What one request can delete of those that match, as a filter; without it, there is no such request. */
  deletable?: string
  /** Those that are deleted with another object only, as a filter, and the field that names it. */
  held?: { field: string; filter: string }
}

/**
 * All values of a type. They are written out where the file that has them belongs to the pages of one area, which every
 * page would load if this one imported it; a forgotten value does not compile.
 */
const all =
  <Value extends string>() =>
  <const Values extends readonly Value[]>(
    values: Exclude<Value, Values[number]> extends never ? Values : never,
  ): readonly string[] =>
    values

const vpc = field('relation', 'VPC', 'vpc:default', suggested)
const ipVersion = field('choice', 'IP version', 'version:v6', {
  values: ['v4', 'v6'],
  sortsAs: 'ip_version',
  ...suggested,
})
/** Lists that were sorted by id before they had filters. */
const byId = { ...described.id, sortsAs: 'id' } as const
const { project, size, protected: isProtected } = common

/**
 * Every kind of list that is filtered, sorted, added up and exported. The operations of lists, the kinds that requests for
 * totals, values, deletions and tags name, the documentation, the entries of the palette and the tests follow from it.
 * Beside it, a kind has the columns of its fields in the control plane's `list/filter/columns.ts`.
 */
export const listKinds = {
  instance: {
    noun: 'instance',
    path: 'instances',
    page: 'instances',
    scope: 'project',
    fields: {
      ...identity,
      state: state(runStates, 'state:failed'),
      changed: common.changed,
      cpu: common.cpu,
      memory: common.memory,
      hostname: field('text', 'Host name', 'hostname:web*'),
      ip: field('address', 'Any address', 'ip:10.0.0.0/24', { canLack: true }),
      external: field('address', 'External address', 'external:198.51.100.7', { canLack: true }),
      internal: field('address', 'Internal address', 'internal:10.0.0.0/24', { canLack: true }),
      mac: field('mac', 'MAC address', 'mac:a8:40:25:*'),
      image: field('relation', 'Image of the boot disk', 'image:debian*', { canLack: true, ...suggested }),
      vpc: field('relation', 'VPC', 'vpc:default', { canLack: true, ...suggested }),
      disk: field('relation', 'Disk', 'disk:data*', { canLack: true }),
      sled: field('relation', 'Sled', 'sled:BRM*', { canLack: true, ofFleet: true, ...suggested }),
      project,
      protected: isProtected,
    },
    sums: ['ncpus', 'memory'],
  },
  /** Of all silos, by what operators may see of them. */
  'fleet-instance': {
    noun: 'instance',
    title: 'Instances of all silos',
    path: 'system/instances',
    scope: 'fleet',
    word: 'instance',
    fields: {
      name: identity.name,
      id: identity.id,
      created: identity.created,
      state: state(runStates, 'state:failed'),
      changed: common.changed,
      cpu: common.cpu,
      memory: common.memory,
      silo: field('relation', 'Silo', 'silo:forge', suggested),
      project,
      sled: field('relation', 'Sled', 'sled:BRM*', { canLack: true, ...suggested }),
    },
    sums: ['ncpus', 'memory'],
  },
  disk: {
    noun: 'disk',
    path: 'disks',
    page: 'disks',
    scope: 'project',
    fields: {
      ...identity,
      state: state(diskStates, 'state:detached'),
      size,
      instance: common.attached,
      image: field('relation', 'Image', 'image:debian*', { canLack: true, ...suggested }),
      snapshot: common.ofSnapshot,
      project,
      protected: isProtected,
      readonly: field('flag', 'Read-only', 'readonly:yes'),
      type: field('choice', 'Type', 'type:local', { values: diskTypes, ...suggested }),
    },
    sums: ['size'],
    deletable: `state:${diskAllows.delete.join(',')} protected:no`,
  },
  snapshot: {
    noun: 'snapshot',
    path: 'snapshots',
    page: 'snapshots',
    scope: 'project',
    fields: {
      ...identity,
      state: state(snapshotStates, 'state:ready'),
      size,
      disk: field('relation', 'Disk', 'disk:data*', { canLack: true, ...suggested }),
      partof: field('relation', 'Part of instance snapshot', 'partof:none', { canLack: true, ...suggested }),
      project,
    },
    sums: ['size'],
    // Members of an instance snapshot are deleted with it.
    deletable: `state:${snapshotAllows.delete.join(',')} partof:none`,
    held: { field: 'partof', filter: '-partof:none' },
  },
  'instance-snapshot': {
    noun: 'instance snapshot',
    path: 'instance-snapshots',
    page: 'instance-snapshots',
    scope: 'project',
    fields: {
      ...identity,
      state: state(instanceSnapshotStates, 'state:ready'),
      size,
      instance: field('relation', 'Instance', 'instance:web*', { canLack: true, ...suggested }),
      project,
    },
    sums: ['size'],
    deletable: `state:${instanceSnapshotAllows.delete.join(',')}`,
  },
  'instance-backup': {
    noun: 'backup',
    title: 'Backups of instances',
    path: 'instance-backups',
    page: 'backups',
    scope: 'project',
    fields: {
      ...identity,
      state: state(instanceBackupStates, 'state:ready'),
      size,
      stored: field('bytes', 'Stored', 'stored>1GiB', { canLack: true }),
      verified: field('time', 'Verified', 'verified<7d', { canLack: true }),
      // By the name that it had: it may be deleted, or one of another installation.
      instance: field('text', 'Instance', 'instance:web*', { sortsAs: 'instance_name', ...suggested }),
      target: field('relation', 'Target', 'target:offsite', suggested),
      project,
    },
    sums: ['size'],
    deletable: `state:${instanceBackupAllows.delete.join(',')}`,
  },
  image: {
    noun: 'image',
    path: 'images',
    page: 'images',
    scope: 'project',
    fields: {
      ...identity,
      os: field('text', 'Operating system', 'os:debian', { sortsAs: 'os', ...suggested }),
      version: field('text', 'Version', 'version:13*', { sortsAs: 'version', ...suggested }),
      size,
      snapshot: common.ofSnapshot,
      project: { ...project, canLack: true },
      protected: isProtected,
    },
    sums: ['size'],
    deletable: 'protected:no',
  },
  'floating-ip': {
    noun: 'floating IP',
    path: 'floating-ips',
    page: 'floating-ips',
    scope: 'project',
    word: 'external-ip',
    fields: {
      ...identity,
      ip: field('address', 'Address', 'ip:198.51.100.0/24', { sortsAs: 'ip_key' }),
      instance: common.attached,
      project,
      protected: isProtected,
    },
    sums: [],
    deletable: 'instance:none protected:no',
  },
  'external-subnet': {
    noun: 'external subnet',
    path: 'external-subnets',
    page: 'external-subnets',
    scope: 'project',
    fields: {
      ...identity,
      subnet: field('address', 'Block', 'subnet:198.51.100.0/24', { sortsAs: 'first_int' }),
      instance: common.attached,
      project,
      protected: isProtected,
    },
    sums: [],
    deletable: 'instance:none protected:no',
  },
  vpc: {
    noun: 'VPC',
    path: 'vpcs',
    page: 'vpcs',
    scope: 'project',
    fields: {
      ...identity,
      dns: field('text', 'DNS name', 'dns:web*', { sortsAs: 'dns_name' }),
      instance: field('relation', 'Used by instance', 'instance:web*', { canLack: true }),
      project,
      protected: isProtected,
    },
    sums: [],
    deletable: 'protected:no',
  },
  'vpc-subnet': {
    noun: 'subnet',
    title: 'Subnets of VPCs',
    path: 'vpc-subnets',
    scope: 'vpc',
    fields: {
      ...identity,
      block: field('address', 'Block', 'block:172.30.0.0/22', { sortsAs: 'ipv4_first' }),
      router: field('relation', 'Custom router', 'router:none', { canLack: true, ...suggested }),
      interfaces: field('number', 'Interfaces of instances', 'interfaces>=200'),
      vpc,
      project,
    },
    sums: [],
  },
  'vpc-router': {
    noun: 'router',
    title: 'Routers of VPCs',
    path: 'vpc-routers',
    scope: 'vpc',
    fields: {
      ...identity,
      kind: field('choice', 'Kind', 'kind:custom', {
        values: all<RouterKind>()(['system', 'custom']),
        sortsAs: 'kind',
        ...suggested,
      }),
      routes: field('number', 'Routes', 'routes:0'),
      subnet: field('relation', 'Subnet that uses it', 'subnet:none', { canLack: true, ...suggested }),
      vpc,
      project,
    },
    sums: [],
  },
  'internet-gateway': {
    noun: 'internet gateway',
    path: 'internet-gateways',
    scope: 'vpc',
    fields: {
      ...identity,
      pool: field('relation', 'Attached IP pool', 'pool:public', { canLack: true, ...suggested }),
      address: field('address', 'Attached address', 'address:198.51.100.0/24', { canLack: true }),
      vpc,
      project,
    },
    sums: [],
  },
  schedule: {
    noun: 'schedule',
    path: 'schedules',
    page: 'schedules',
    scope: 'project',
    fields: {
      ...described,
      id: byId,
      action: field('choice', 'Action', 'action:back_up', {
        values: all<ScheduleAction>()(['snapshot_disk', 'snapshot_instance', 'back_up', 'stop', 'start']),
        sortsAs: 'action',
        ...suggested,
      }),
      enabled: field('flag', 'Enabled', 'enabled:no'),
      lastrun: field('choice', 'State of the last run', 'lastrun:failed', {
        values: all<RunState>()(['running', 'done', 'failed', 'missed']),
        canLack: true,
        ...suggested,
      }),
      timezone: field('text', 'Time zone', 'timezone:Europe/*', { sortsAs: 'timezone', ...suggested }),
      target: field('relation', 'Target of backups', 'target:offsite', { canLack: true, ...suggested }),
      project,
    },
    sums: [],
  },
  'instance-template': {
    noun: 'instance template',
    path: 'instance-templates',
    page: 'templates',
    scope: 'project',
    withoutProject: 'silo',
    fields: {
      ...described,
      id: byId,
      cpu: field('number', 'vCPUs', 'cpu:2..8', { canLack: true, ...suggested }),
      memory: field('bytes', 'Memory', 'memory>=8GiB', { canLack: true }),
      image: field('relation', 'Image of the boot disk', 'image:debian*', { canLack: true, ...suggested }),
      fixed: field('choice', 'Cannot be changed', 'fixed:hardware', {
        values: all<TemplateField>()([
          'hardware',
          'boot_source',
          'boot_size',
          'disks',
          'network_interfaces',
          'external_ips',
          'user_data',
          'auto_restart_policy',
          'cpu_platform',
          'anti_affinity_groups',
          'start',
          'tags',
        ]),
        canLack: true,
        ...suggested,
      }),
      userdata: field('flag', 'With user data', 'userdata:yes'),
    },
    sums: [],
  },
  project: {
    noun: 'project',
    path: 'projects',
    scope: 'silo',
    fields: {
      ...identity,
      id: byId,
      instances: field('number', 'Instances', 'instances:0'),
      failed: field('number', 'Failed instances', 'failed>=1'),
      protected: isProtected,
    },
    sums: [],
  },
  silo: {
    noun: 'silo',
    path: 'system/silos',
    scope: 'fleet',
    fields: {
      ...identity,
      id: byId,
      discoverable: field('flag', 'Discoverable', 'discoverable:no'),
      identity: field('choice', 'Identity mode', 'identity:local_only', {
        values: all<IdentityMode>()(['saml_jit', 'local_only', 'saml_scim']),
        sortsAs: 'identity_mode',
        ...suggested,
      }),
      users: field('number', 'Users', 'users:0'),
      projects: field('number', 'Projects', 'projects>=10'),
      pool: field('relation', 'Linked IP pool', 'pool:public', { canLack: true, ...suggested }),
    },
    sums: [],
  },
  'ip-pool': {
    noun: 'IP pool',
    path: 'system/ip-pools',
    scope: 'fleet',
    fields: {
      ...identity,
      id: byId,
      range: field('address', 'Range', 'range:198.51.100.0/24', { canLack: true }),
      version: ipVersion,
      type: field('choice', 'Type', 'type:multicast', {
        values: all<PoolType>()(['unicast', 'multicast']),
        sortsAs: 'pool_type',
        ...suggested,
      }),
      services: field('flag', "For the rack's own services", 'services:yes'),
      silo: field('relation', 'Linked silo', 'silo:forge', { canLack: true, ...suggested }),
    },
    sums: [],
  },
  'subnet-pool': {
    noun: 'subnet pool',
    path: 'system/subnet-pools',
    scope: 'fleet',
    fields: {
      ...described,
      id: byId,
      subnet: field('address', 'Member', 'subnet:198.51.100.0/24', { canLack: true }),
      version: ipVersion,
      silo: field('relation', 'Linked silo', 'silo:forge', { canLack: true, ...suggested }),
    },
    sums: [],
  },
} as const satisfies Readonly<Record<string, ListKind>>

type Kinds = typeof listKinds
export type FilteredKind = keyof Kinds
type KindsWith<Part> = { [Name in FilteredKind]: Kinds[Name] extends Part ? Name : never }[FilteredKind]
/** The kinds of objects of a project. */
export type OfProjectKind = KindsWith<{ scope: 'project' }>
/** The kinds of what a VPC holds. */
export type InVpcKind = KindsWith<{ scope: 'vpc' }>
/** Kinds of which many are deleted by one request; instances have actions of their own. */
export type BulkDeletedKind = KindsWith<{ deletable: string }>
/** The names of a kind's fields, and of what its totals add up. */
export type FieldName<Name extends FilteredKind> = keyof Kinds[Name]['fields'] & string
export type SumName<Name extends FilteredKind> = Kinds[Name]['sums'][number]

type Some<Name> = [Name, ...Name[]]
export const filteredKinds = Object.keys(listKinds) as Some<FilteredKind>
export const listKind = (kind: FilteredKind): ListKind => listKinds[kind]
export const ofProjectKinds = filteredKinds.filter(
  (kind) => listKind(kind).scope === 'project',
) as Some<OfProjectKind>
export const bulkDeletedKinds = filteredKinds.filter(
  (kind) => listKind(kind).deletable !== undefined,
) as Some<BulkDeletedKind>

export const fieldsOf = (kind: FilteredKind): Readonly<Record<string, FilterField>> => listKinds[kind].fields

/** Its word on the change stream. */
export const wordOf = (kind: FilteredKind): Kind => listKind(kind).word ?? (kind as Kind)

/** The sort modes of a kind's lists, of which the first is the default. */
export const sortsOf = (kind: FilteredKind): Some<string> =>
  Object.values(fieldsOf(kind)).flatMap(({ sortsAs }) =>
    sortsAs === undefined ? [] : [`${sortsAs}_ascending`, `${sortsAs}_descending`],
  ) as Some<string>

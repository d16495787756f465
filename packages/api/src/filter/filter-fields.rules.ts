import { instanceBackupStates } from '../backups/instance-backup.rules.ts'
import { runStates } from '../compute/instance.rules.ts'
import { diskStates, diskTypes } from '../storage/disk.rules.ts'
import { instanceSnapshotStates } from '../storage/instance-snapshot.rules.ts'
import { snapshotStates } from '../storage/snapshot.rules.ts'

/**
 * How the values of a field are read. A `relation` is another object, by name or id; a `flag` is yes or no.
 */
export type FieldType =
  | 'text'
  | 'id'
  | 'choice'
  | 'number'
  | 'bytes'
  | 'time'
  | 'relation'
  | 'address'
  | 'mac'
  | 'flag'
  | 'tag'

export interface FilterField {
  type: FieldType
  /** What it is, on screen. */
  label: string
  /** A term with it, which messages show. */
  example: string
  /** The values of a choice. */
  values?: readonly string[]
  /** Objects can lack it, and `none` finds those. */
  canLack?: true
  /** Lists can be in its order: the name of its sort modes, without their direction. */
  sortsAs?: string
  /** Its values are suggested, with how many objects have them. */
  isSuggested?: true
  /** Only fleet viewers may ask for it. */
  ofFleet?: true
}

const field = (
  type: FieldType,
  label: string,
  example: string,
  more: Partial<FilterField> = {},
): FilterField => ({
  type,
  label,
  example,
  ...more,
})
const suggested = { isSuggested: true } as const

const identity = {
  name: field('text', 'Name', 'name:web*', { sortsAs: 'name' }),
  id: field('id', 'ID', 'id:7c9e6679'),
  description: field('text', 'Description', 'description:*billing*'),
  created: field('time', 'Created', 'created<7d', { sortsAs: 'time_created' }),
  tag: field('tag', 'Tag', 'tag:env=prod', { canLack: true, ...suggested }),
}
const project = field('relation', 'Project', 'project:web*', suggested)
const isProtected = field('flag', 'Protected', 'protected:yes')
const state = (values: readonly string[], example: string): FilterField =>
  field('choice', 'State', example, { values, sortsAs: 'state', ...suggested })
const size = field('bytes', 'Size', 'size>=10GiB', { sortsAs: 'size' })

/** The fields of each kind that can be filtered. */
export const filterFields = {
  instance: {
    ...identity,
    state: state(runStates, 'state:failed'),
    changed: field('time', 'State changed', 'changed<1h', { sortsAs: 'time_run_state_updated' }),
    cpu: field('number', 'vCPUs', 'cpu:2..8', { sortsAs: 'ncpus', ...suggested }),
    memory: field('bytes', 'Memory', 'memory>=8GiB', { sortsAs: 'memory', ...suggested }),
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
  /** Of all silos, by what operators may see of them. */
  'fleet-instance': {
    name: identity.name,
    id: identity.id,
    created: identity.created,
    state: state(runStates, 'state:failed'),
    changed: field('time', 'State changed', 'changed<1h', { sortsAs: 'time_run_state_updated' }),
    cpu: field('number', 'vCPUs', 'cpu:2..8', { sortsAs: 'ncpus', ...suggested }),
    memory: field('bytes', 'Memory', 'memory>=8GiB', { sortsAs: 'memory', ...suggested }),
    silo: field('relation', 'Silo', 'silo:forge', suggested),
    project,
    sled: field('relation', 'Sled', 'sled:BRM*', { canLack: true, ...suggested }),
  },
  disk: {
    ...identity,
    state: state(diskStates, 'state:detached'),
    size,
    instance: field('relation', 'Attached to', 'instance:web*', { canLack: true, ...suggested }),
    image: field('relation', 'Image', 'image:debian*', { canLack: true, ...suggested }),
    snapshot: field('relation', 'Made from snapshot', 'snapshot:nightly*', { canLack: true }),
    project,
    protected: isProtected,
    readonly: field('flag', 'Read-only', 'readonly:yes'),
    type: field('choice', 'Type', 'type:local', { values: diskTypes, ...suggested }),
  },
  snapshot: {
    ...identity,
    state: state(snapshotStates, 'state:ready'),
    size,
    disk: field('relation', 'Disk', 'disk:data*', { canLack: true, ...suggested }),
    partof: field('relation', 'Part of instance snapshot', 'partof:none', { canLack: true, ...suggested }),
    project,
  },
  'instance-snapshot': {
    ...identity,
    state: state(instanceSnapshotStates, 'state:ready'),
    size,
    instance: field('relation', 'Instance', 'instance:web*', { canLack: true, ...suggested }),
    project,
  },
  'instance-backup': {
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
  image: {
    ...identity,
    os: field('text', 'Operating system', 'os:debian', { sortsAs: 'os', ...suggested }),
    version: field('text', 'Version', 'version:13*', { sortsAs: 'version', ...suggested }),
    size,
    snapshot: field('relation', 'Made from snapshot', 'snapshot:nightly*', { canLack: true }),
    project: { ...project, canLack: true },
    protected: isProtected,
  },
  'floating-ip': {
    ...identity,
    ip: field('address', 'Address', 'ip:198.51.100.0/24', { sortsAs: 'ip_key' }),
    instance: field('relation', 'Attached to', 'instance:web*', { canLack: true, ...suggested }),
    project,
    protected: isProtected,
  },
  'external-subnet': {
    ...identity,
    subnet: field('address', 'Block', 'subnet:198.51.100.0/24', { sortsAs: 'first_int' }),
    instance: field('relation', 'Attached to', 'instance:web*', { canLack: true, ...suggested }),
    project,
    protected: isProtected,
  },
  vpc: {
    ...identity,
    dns: field('text', 'DNS name', 'dns:web*', { sortsAs: 'dns_name' }),
    instance: field('relation', 'Used by instance', 'instance:web*', { canLack: true }),
    project,
    protected: isProtected,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FilterField>>>>

export type FilteredKind = keyof typeof filterFields
export const filteredKinds = Object.keys(filterFields) as [FilteredKind, ...FilteredKind[]]
/** The kinds of objects of a project. */
export type OfProjectKind = Exclude<FilteredKind, 'fleet-instance'>
export const ofProjectKinds = filteredKinds.filter((kind) => kind !== 'fleet-instance') as [
  OfProjectKind,
  ...OfProjectKind[],
]

export const fieldsOf = (kind: FilteredKind): Readonly<Record<string, FilterField>> => filterFields[kind]

/** The sort modes of a kind's lists, of which the first is the default. */
export const sortsOf = (kind: FilteredKind): [string, ...string[]] =>
  Object.values(fieldsOf(kind)).flatMap(({ sortsAs }) =>
    sortsAs === undefined ? [] : [`${sortsAs}_ascending`, `${sortsAs}_descending`],
  ) as [string, ...string[]]

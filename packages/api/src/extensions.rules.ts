/** Permissions on an object; `delete` and policies derive from these four. */
export const actions = ['read', 'list_children', 'create_child', 'modify'] as const
export type Action = (typeof actions)[number]

/** Faults that can be injected into the simulated rack. */
export const faultKinds = ['vm_crash', 'sled_lost', 'boot_failure', 'slow_boot', 'update_failure'] as const
export type FaultKind = (typeof faultKinds)[number]
/** Faults of a sled; all others are of an instance. */
export const isSledFault = (kind: FaultKind): boolean => kind === 'sled_lost' || kind === 'update_failure'

/**
 * Topics of the change stream besides projects. `utilization` is separate from `silo` because it changes with
 * every instance and disk.
 */
export const topics = ['silo', 'utilization', 'fleet'] as const
export type Topic = (typeof topics)[number]

/**
 * A position in the change stream, as `x-change-seq` and the ids of events give it. Numbers are positions of earlier
 * versions: a listener who comes with one starts anew.
 */
export const positionPattern = /^([0-9a-f]{32}|\d{1,15})$/

/** Maximum number of ids that one request resolves to names. */
export const maxNamedIds = 100

/** Maximum number of projects that a change stream can name. */
export const maxTopicProjects = 50

/** Kinds that the search finds, by their words; the last four for viewers of the fleet. */
export const foundKinds = [
  'project',
  'instance',
  'disk',
  'image',
  'vpc',
  'vpc-subnet',
  'snapshot',
  'floating-ip',
  'external-subnet',
  'schedule',
  'instance-template',
  'instance-snapshot',
  'service-account',
  'silo-user',
  'silo-group',
  'silo',
  'sled',
  'physical-disk',
  'ip-pool',
] as const
export type FoundKind = (typeof foundKinds)[number]

/** What of an object a search can match. */
export const searchMatches = ['name', 'id', 'address', 'mac', 'serial', 'tag', 'description'] as const
export type SearchMatch = (typeof searchMatches)[number]

/** Characters of a search: a tag with its value fits. */
export const searchMax = 320

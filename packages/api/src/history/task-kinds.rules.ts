/** Kinds of work in a silo, and on the fleet. */
export const taskKinds = [
  'instance',
  'instance-action',
  'disk',
  'snapshot',
  'instance-snapshot',
  'instance-restore',
  'instance-backup',
  'instance-backup-restore',
  'image-upload',
  'deletion',
  'restoration',
  'schedule-run',
  'support-bundle',
  'sled-drain',
  'sled',
  'network-trial',
  'target-release',
  'update-upload',
] as const

/** Kinds of objects whose own tasks can be listed. */
export const taskObjectKinds = [
  'project',
  'instance',
  'disk',
  'snapshot',
  'instance-snapshot',
  'instance-backup',
  'image',
  'floating-ip',
  'external-subnet',
  'vpc',
  'schedule',
] as const

/** What a list can be narrowed to. */
export const taskFilters = ['open', 'ended'] as const

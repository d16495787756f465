/** Events of an instance that its measurements may show. */
export const instanceEvents = [
  'created',
  'started',
  'stopped',
  'rebooted',
  /** Started automatically after a failure. */
  'restarted',
  'failed',
  'migrated',
  'resized',
  'disk_attached',
  'disk_detached',
  'nic_added',
  'nic_removed',
  'address_attached',
  'address_detached',
] as const
export type InstanceEvent = (typeof instanceEvents)[number]

/** Newest first, unless asked otherwise. */
export const instanceChangeSorts = ['time_and_id_descending', 'time_and_id_ascending'] as const

import { KiB } from '../base/bytes.rules.ts'

/** Newest first. */
export const activitySorts = ['time_and_id_descending', 'time_and_id_ascending'] as const

/** What happens to an object: how a sentence about it begins, and how one about a refused request continues. */
export const activityWords = {
  created: { done: 'Created', asked: 'create' },
  edited: { done: 'Edited', asked: 'edit' },
  renamed: { done: 'Renamed', asked: 'rename' },
  resized: { done: 'Resized', asked: 'resize' },
  deleted: { done: 'Deleted', asked: 'delete' },
  restored: { done: 'Restored', asked: 'restore' },
  purged: { done: 'Deleted for good', asked: 'delete for good' },
  started: { done: 'Started', asked: 'start' },
  stopped: { done: 'Stopped', asked: 'stop' },
  rebooted: { done: 'Rebooted', asked: 'reboot' },
  forced_off: { done: 'Forced off', asked: 'force off' },
  restarted: { done: 'Restarted', asked: 'restart' },
  moved: { done: 'Moved', asked: 'move' },
  failed: { done: 'Failed', asked: 'run' },
  attached: { done: 'Attached', asked: 'attach' },
  detached: { done: 'Detached', asked: 'detach' },
  took: { done: 'Took', asked: 'take' },
  promoted: { done: 'Promoted', asked: 'promote' },
  demoted: { done: 'Demoted', asked: 'demote' },
  protected: { done: 'Protected', asked: 'protect' },
  unprotected: { done: 'Took the protection off', asked: 'take the protection off' },
  tagged: { done: 'Tagged', asked: 'tag' },
  completed: { done: 'Completed', asked: 'complete' },
  ended: { done: 'Ended', asked: 'end' },
} as const satisfies Record<string, { done: string; asked: string }>
export type ActivityAction = keyof typeof activityWords
export const activityActions = Object.keys(activityWords) as [ActivityAction, ...ActivityAction[]]

/**
 * `under_way` is pending work that a request began; `failed` ended without what was asked for. A refused request changed
 * nothing.
 */
export const activityOutcomes = ['done', 'under_way', 'failed', 'refused'] as const
export type ActivityOutcome = (typeof activityOutcomes)[number]

/** Outcomes that a list can be narrowed to; whether work failed is known only with its end. */
export const activityFilters = ['changed', 'refused'] as const

/** The maximum page of entries, whatever the requested limit: each holds what it changed. */
export const activityPage = 100
/**
 * Records that one page examines at most. Filters can match rarely, so a page can end before it is full, with the time
 * up to which it searched.
 */
export const activityExamined = 2000
/** Changes that an entry names; `change_count` counts all that its reader may see. */
export const activityShownChanges = 12
/** Records that are counted at most: a list of a thousand rules, each replaced by another. */
export const activityCounted = 2500

/** Why the platform did something, by the work that did it. */
const platformReasons: Readonly<Record<string, string>> = {
  'reconcile:auto-restart': 'It had failed, and its auto-restart policy is to start it again.',
  'reconcile:resume': 'It ran until its host went down, which is back.',
  'reconcile:recycle-bin': 'Its time in the recycle bin was over, or something needed its room.',
  'reconcile:fleet': 'Reported by the host that runs it.',
  'reconcile:machine-sweep': 'Its machine was no longer needed.',
  'reconcile:hosts': 'Reported by its host.',
  'reconcile:image-uploads': 'The upload was not continued in time.',
  'reconcile:system-update': 'The installation is being updated.',
  'job:vm-start': 'The start that was asked for.',
  'job:sled-drain': 'Its sled is being drained.',
  'job:sled-expunge': 'Its sled was removed.',
  'job:network-trial': 'The trial of a network change was not confirmed in time.',
  'job:image-upload-completion': 'The upload was complete.',
  'job:image-upload-conversion': 'The upload was converted.',
  'job:instance-import': 'The file was read.',
  'job:snapshot-content': 'The disk was copied.',
  'job:disk-content': 'The disk was written.',
  seed: 'Part of the initial contents.',
}

/** Undefined for work that explains nothing beyond what it did. */
export const platformReason = (operation: string): string | undefined => platformReasons[operation]

/** Characters of a plan's hash. */
export const hashLength = 64
/** How the name of a field begins that is a tag; the rest is the key. */
export const tagField = 'tags.'

/**
 * Characters of a field's name, of which the key of a tag is the longest, and how many fields one request can keep: as
 * many as a VPC has firewall rules.
 */
export const revertFieldMax = tagField.length + 63
export const revertFieldsMax = 1024

/** Kinds whose edits can be taken back. */
export const revertedKinds = [
  'affinity-group',
  'alert-receiver',
  'anti-affinity-group',
  'disk',
  'external-ip',
  'external-subnet',
  'floating-ip',
  'inbound-icmp',
  'instance',
  'instance-network-interface',
  'ip-pool',
  'metric-query',
  'networking-settings',
  'policy',
  'project',
  'router-route',
  'shared-view',
  'silo-auth-settings',
  'silo-quotas',
  'silo-recycle-bin',
  'silo-tag-demand',
  'sled',
  'subnet-pool',
  'support-bundle',
  'vpc',
  'vpc-firewall-rule',
  'vpc-router',
  'vpc-subnet',
] as const

/** The header that names the entry which a request made, by which a client can take it back at once. */
export const entryHeader = 'x-activity-entry'

/** Of requests that are kept to be repeated: characters of one as JSON, and entries whose requests are asked for at once. */
export const sentRequestLimits = { length: 16 * KiB, entries: 100 } as const

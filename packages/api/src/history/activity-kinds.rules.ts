import type { Kind } from '../kind.gen.ts'
import type { ActivityAction } from './activity.rules.ts'
import { protectedKinds } from './protection.rules.ts'
import { recycledKinds } from './recycle-bin.rules.ts'
import { taggedKinds } from '../tags/tag.rules.ts'

/** Bookkeeping that follows other changes, of which Activity does not tell. */
export const untoldKinds: ReadonlySet<string> = new Set([
  'alert',
  'alert-delivery',
  'deletion',
  'favourite',
  'instance-action',
  'instance-backup-restore',
  'instance-restore',
  'list-preference',
  'notification',
  // The record of the object itself tells of it.
  'protection',
  'recycled-item',
  'restoration',
  'schedule-run',
  // The commit tells of it.
  'saved-plan',
  // As with protection.
  'tag',
  'task',
  'utilization',
  'vpc-network',
] satisfies Kind[])

/** Of objects of every kind. */
const usual = ['created', 'edited', 'renamed', 'deleted'] as const satisfies ActivityAction[]

/** Of some besides. */
const further: Partial<Record<Kind, readonly ActivityAction[]>> = {
  'console-session': ['ended'],
  'device-access-token': ['ended'],
  disk: ['attached', 'detached', 'completed', 'failed'],
  'external-ip': ['attached', 'detached'],
  'external-subnet': ['attached', 'detached'],
  'floating-ip': ['attached', 'detached'],
  image: ['promoted', 'demoted', 'failed'],
  'image-upload': ['completed', 'failed'],
  instance: [
    'resized',
    'started',
    'stopped',
    'rebooted',
    'forced_off',
    'restarted',
    'moved',
    'failed',
    'attached',
    'detached',
  ],
  'instance-network-interface': ['attached', 'detached'],
  'instance-backup': ['took', 'failed'],
  'instance-snapshot': ['took', 'failed'],
  'network-trial': ['failed'],
  'silo-quotas': ['resized'],
  sled: ['started'],
  'sled-drain': ['completed', 'failed'],
  snapshot: ['took', 'failed'],
  'support-bundle': ['failed'],
  'system-update': ['failed'],
  'update-upload': ['failed'],
}

/** What goes into the recycle bin, alone or with its project, its VPC or its instance. */
const recycled: ReadonlySet<string> = new Set([
  ...recycledKinds,
  'affinity-group',
  'affinity-group-member',
  'anti-affinity-group',
  'anti-affinity-group-member',
  'external-ip',
  'image-upload',
  'instance-network-interface',
  'instance-template',
  'internet-gateway',
  'internet-gateway-ip-address',
  'internet-gateway-ip-pool',
  'metric-query',
  'policy',
  'probe',
  'router-route',
  'schedule',
  'shared-view',
  'vpc-firewall-rule',
  'vpc-router',
] satisfies Kind[])
const guarded: ReadonlySet<string> = new Set(protectedKinds)
const tagged: ReadonlySet<string> = new Set(taggedKinds)

/** What Activity can tell of objects of a kind. */
export const actionsOf = (kind: Kind): ActivityAction[] => [
  ...usual,
  ...(further[kind] ?? []),
  ...(recycled.has(kind) ? (['restored', 'purged'] as const) : []),
  ...(guarded.has(kind) ? (['protected', 'unprotected'] as const) : []),
  ...(tagged.has(kind) ? (['tagged'] as const) : []),
]

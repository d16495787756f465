import { isRead, type Operation } from '../op.ts'
import type { OpName } from '../registry.ts'
import type { TokenPower } from './token-scope.rules.ts'

/** What no token with a scope may do: it would let its holder keep or widen the access that it gives. */
const ofSignIn: ReadonlySet<string> = new Set<OpName>([
  'currentUserPasswordChange',
  'currentUserSessionDelete',
  'currentUserSessionDeleteOthers',
  'currentUserAccessTokenDelete',
])

/** Operations that need something else than their method says. */
const exceptions: Readonly<Partial<Record<OpName, readonly TokenPower[]>>> = {
  instanceSerialConsole: ['console'],
  instanceSerialConsoleStream: ['console'],
  instanceScreenStream: ['console'],
  instanceGuestPasswordSet: ['console'],
  instanceGuestSshKeysAdd: ['console'],
  instanceStart: ['operate'],
  instanceStop: ['operate'],
  instanceReboot: ['operate'],
  instanceForceOff: ['operate'],
  // They can delete, too.
  instanceActionCreate: ['operate', 'delete'],
  instanceActionRetry: ['operate', 'delete'],
  // It replaces what the disks hold.
  instanceSnapshotRestore: ['change', 'delete'],
  instanceBackupRestore: ['change', 'delete'],
  // It sends what disks hold, as an instance that is created of the snapshot would show it.
  instanceExport: ['change'],
  deletionCreate: ['delete'],
  deletionCancel: ['delete'],
  bulkDeletionCreate: ['delete'],
  bulkDeletionCancel: ['delete'],
  bulkDeletionRetry: ['delete'],
  // It stops, starts, and deletes old snapshots, long after the token has ended.
  scheduleCreate: ['operate', 'change', 'delete'],
  scheduleUpdate: ['operate', 'change', 'delete'],
  // They send any other operation, of whatever kind.
  savedPlanCommit: ['change', 'delete', 'administer'],
  activityRevert: ['change', 'delete', 'administer'],
  // A role that is granted can be more than the token has.
  policyUpdate: ['administer'],
  projectPolicyUpdate: ['administer'],
}

const ofAdministration =
  /^\/(?:ext\/|experimental\/)?v1\/(?:system|users|groups|service-accounts|auth-settings|certificates|faults|four-eyes-settings|recycle-bin-settings|tag-demand|webhook-receivers|alert-receivers|alerts)(?:\/|$)/

/** What a token needs to be allowed for an operation; undefined if no token with a scope may send it. */
export function powersFor(
  name: OpName,
  { method, path, onlyReads, anonymous }: Pick<Operation, 'method' | 'path' | 'onlyReads' | 'anonymous'>,
): readonly TokenPower[] | undefined {
  const known = exceptions[name]
  if (known) return known
  if (anonymous) return []
  if (isRead(method) || onlyReads) return ['read']
  if (ofSignIn.has(name)) return undefined
  if (ofAdministration.test(path)) return ['administer']
  return [method === 'DELETE' ? 'delete' : 'change']
}

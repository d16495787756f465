/** Kinds whose deletion can be planned: what holds other things, or is used by them. */
export const plannedKinds = ['project', 'vpc', 'silo', 'ip-pool', 'image'] as const
export type PlannedKind = (typeof plannedKinds)[number]

export const deletionLimits = {
  /** Names shown of each kind and of each cause; counts cover the rest. */
  names: 20,
  /** Rows of a kind that one plan covers: a silo with more has some of its projects deleted first. */
  rowsOfKind: 100_000,
  /** Minutes that the task waits for an instance to stop. */
  waitMinutes: 10,
  /** Days to keep a finished one. */
  keptDays: 7,
  /** Maximum number listed, newest first. */
  listed: 20,
} as const

export const deletionStates = ['running', 'done', 'stopped', 'cancelled'] as const
export type DeletionState = (typeof deletionStates)[number]

/** What becomes of the objects of a kind. `freed`: an address goes back to its pool. */
export const deletionFates = ['deleted', 'stopped_and_deleted', 'freed', 'unlinked', 'kept'] as const
export type DeletionFate = (typeof deletionFates)[number]

/** Why an object is in the way. */
export const blockerCauses = ['protected', 'state', 'in_use', 'contains', 'too_many', 'running'] as const
export type BlockerCause = (typeof blockerCauses)[number]

interface PlanShape {
  object: { kind: PlannedKind }
  blockers: readonly unknown[]
  goes: readonly { kind: string; count: number; first: readonly { name: string }[] }[]
}

/** What every project begins with. */
const ofEachProject: ReadonlySet<string> = new Set([
  'vpc-subnet',
  'vpc-router',
  'vpc-firewall-rule',
  'internet-gateway',
  'policy',
])

/**
 * Whether a plan has nothing to say: nothing is in the way, and nothing goes along but what comes with every project or
 * VPC. Such a deletion needs no page.
 */
export function isSimpleDeletion({ object, blockers, goes }: PlanShape): boolean {
  if (blockers.length > 0) return false
  if (object.kind === 'project')
    return goes.every(
      ({ kind, count, first }) =>
        ofEachProject.has(kind) || (kind === 'vpc' && count === 1 && first[0]?.name === 'default'),
    )
  if (object.kind === 'vpc')
    return goes.every(({ kind, count }) => kind !== 'vpc-subnet' && (kind !== 'vpc-router' || count <= 1))
  return goes.every(({ kind }) => kind === 'disk')
}

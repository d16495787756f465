import type { DeletionPlan } from '@gantry/api/history/deletion'
import { hashSecret } from '../../authz/secret.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { blockersOfPlan } from './blockers.ts'
import { type Branch, branchesOf } from './branches.ts'
import { hoursOf } from '../recycle-bin/settings.ts'
import type { Root } from './root.ts'
import { totalsOf, type Total } from './totals.ts'

/** What deleting the object would do now. */
export async function planOf(cx: Cx, db: Reader, root: Root): Promise<DeletionPlan> {
  const branches = branchesOf(cx, root)
  const totals = await totalsOf(db, root, branches)
  const blockers = await blockersOfPlan(cx, db, root, branches, totals)
  const found = branches.flatMap((branch) => {
    const total = totals.get(branch.key)
    return total && total.count > 0 ? [{ branch, total }] : []
  })
  const kinds = new Set(found.map(({ branch }) => branch.kind))
  const { kind, id, name, scope } = root
  // What belongs to a silo is gone with it, and the fleet's has no bin.
  const hasBin = scope.silo_id !== null && kind !== 'silo'
  const recycled_hours = hasBin ? await hoursOf(db, cx.services, scope.silo_id ?? '') : 0
  const marks = found.map(({ branch: { key }, total: { count, mark } }) => [key, count, mark])
  return {
    object: { kind, id, name },
    blockers,
    goes: found.map(({ branch, total }) => branchView(branch, total, kinds)),
    recycled_hours,
    steps: found.reduce((sum, { branch, total }) => sum + (branch.hasStep ? total.count : 0), 1),
    time_made: cx.now().toISOString(),
    hash: await hashSecret(JSON.stringify({ kind, id, name, marks, blockers, recycled_hours })),
  }
}

const branchView = (
  { kind, under, fate, storage, memory, concerned }: Branch,
  total: Total,
  kinds: ReadonlySet<string>,
): DeletionPlan['goes'][number] => ({
  kind,
  under: under !== undefined && kinds.has(under) ? under : null,
  count: total.count,
  storage: storage ? total.storage : null,
  memory: memory ? total.memory : null,
  fate,
  first: total.first,
  concerned: concerned ? total.concerned : null,
})

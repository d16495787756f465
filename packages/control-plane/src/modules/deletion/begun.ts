import type { DeletionPlan } from '@gantry/api/history/deletion'
import type { Cx } from '../../context/cx.ts'
import type { MadeChange } from '../../context/services.ts'
import { planOf } from './plan.ts'
import { needRoot } from './root.ts'

type Noted = Pick<MadeChange['records'][number], 'kind' | 'before'>

/** Whether a change notes a deletion that begins. */
export const isBegunDeletion = ({ kind, before }: Noted): boolean => kind === 'deletion' && !before

/** What the task would delete that these changes begin, read in their transaction; null if they begin none. */
export async function begunDeletion(cx: Cx, records: MadeChange['records']): Promise<DeletionPlan | null> {
  const begun = records.find(isBegunDeletion)
  if (!begun) return null
  const { kind, object_id, is_for_good } = await cx.db
    .selectFrom('deletion')
    .select(['kind', 'object_id', 'is_for_good'])
    .where('id', '=', begun.object_id)
    .executeTakeFirstOrThrow()
  const plan = await planOf(cx, cx.db, await needRoot(cx, kind, object_id))
  // There was nothing in the way, or it had not begun; now it is itself what another one would wait for.
  return { ...plan, blockers: [], ...(is_for_good && { recycled_hours: 0 }) }
}

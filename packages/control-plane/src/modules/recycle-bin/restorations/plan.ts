import type { ActivityChange } from '@gantry/api/history/activity'
import type { RestorationPlan } from '@gantry/api/history/restoration'
import { restorationLimits } from '@gantry/api/history/recycle-bin.rules'
import { sql } from 'kysely'
import { rehearse } from '@gantry/control-plane/change/rehearsal'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { MadeChange } from '@gantry/control-plane/context/services'
import { notFound, Refusal } from '@gantry/control-plane/context/refusal'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { allowItem, isKept, type Item, locationOf } from '../items.ts'
import type { Outcome } from '../restore.ts'
import { askedFor, restoreOne } from './job.ts'
import { isBegunRestoration, itemsOf, refusalOf, type Task } from './store.ts'

const { tried, named } = restorationLimits

/** What a deletion took, with the item that everything else needs. */
export interface Whole {
  id: string
  about: NonNullable<Item['deletion']>
  first: Item
}

/** What a deletion took, if the caller may restore the first of it; 404 where the caller may not know of it. */
export async function needWhole(cx: Cx, id: string): Promise<Whole> {
  cx.user()
  const [first] = await itemsOf({ db: cx.db, now: cx.now() }, id, { limit: 1 })
  if (!first?.deletion || !cx.can('read', locationOf(first))) throw notFound('deletion', { id })
  const { kind, object_id, name } = first.deletion
  cx.about ??= { kind, id: object_id, name, silo_id: first.silo_id, project_id: first.project_id }
  allowItem(cx, first)
  return { id, about: first.deletion, first }
}

/** What comes back by the task that changes begin, read in their transaction; undefined if they begin none. */
export async function begunRestoration(
  cx: Cx,
  records: MadeChange['records'],
): Promise<{ changes: ActivityChange[]; count: number } | undefined> {
  const begun = records.find(isBegunRestoration)
  if (!begun) return undefined
  const task = await cx.db
    .selectFrom('restoration')
    .select(['deletion_id', 'object_id', 'new_name', 'total'])
    .where('id', '=', begun.object_id)
    .executeTakeFirstOrThrow()
  const items = await itemsOf({ db: cx.db, now: cx.now() }, task.deletion_id, { limit: tried })
  cx.charge(items.length)
  const { outcomes, refused } = await tryAll(cx, task, items)
  const [first] = refused
  if (first && (first.item.object_id === task.object_id || outcomes.size === 0)) throw first.refusal
  return {
    changes: [...outcomes].map(([{ kind, object_id: id }, { name }]) => ({
      kind,
      id,
      name,
      action: 'restored',
      other: null,
      differences: [],
    })),
    count: task.total - refused.length,
  }
}

/** Does what the task would do, item by item, and rolls all of it back. */
export async function viewRestorationPlan(
  cx: Cx,
  { path }: Input<'restorationPlan'>,
): Promise<RestorationPlan> {
  const { id, about, first } = await needWhole(cx, path.deletion_id)
  const items = await itemsOf({ db: cx.db, now: cx.now() }, id, { limit: tried })
  cx.charge(items.length)
  const kinds = await sql<RestorationPlan['kinds'][number]>`SELECT t.kind, count(*)::int AS count,
    sum(t.storage)::int8 AS storage FROM recycled t WHERE t.deletion_id = ${id} AND ${isKept(cx)}
    GROUP BY t.kind ORDER BY count(*) DESC, t.kind`.execute(cx.db)
  const { outcomes, refused } = await tryAll(cx, { object_id: about.object_id, new_name: null }, items)
  const isRoot = ({ object_id }: Item): boolean => object_id === about.object_id
  const whyNot = refused.find(({ item }) => isRoot(item)) ?? (outcomes.size === 0 ? refused[0] : undefined)
  const [, root] = [...outcomes].find(([item]) => isRoot(item)) ?? []
  return {
    deletion_id: id,
    object: { kind: about.kind, id: about.object_id, name: about.name },
    name: root?.name ?? (isRoot(first) ? first.name : null),
    items: kinds.rows.reduce((sum, { count }) => sum + count, 0),
    tried: items.length,
    kinds: kinds.rows,
    steps: whyNot ? [] : [...outcomes].flatMap(stepsOf).slice(0, named),
    refused: whyNot ? [] : refused.map(({ item, refusal }) => refusalOf(item, refusal)).slice(0, named),
    why_not: whyNot ? `${whyNot.refusal.message}. ${whyNot.refusal.extra.help}` : null,
  }
}

/** What is not as it was. */
function stepsOf([{ kind, object_id: id, name, deletion }, outcome]: [
  Item,
  Outcome,
]): RestorationPlan['steps'] {
  const isRoot = deletion?.object_id === id
  const detail = `It comes back as ${outcome.name}.`
  const renamed =
    outcome.name !== name && !isRoot ? [{ kind, id, name, outcome: 'changed', detail } as const] : []
  return [...renamed, ...outcome.steps.filter((step) => step.outcome !== 'back')]
}

interface Tried {
  outcomes: Map<Item, Outcome>
  refused: { item: Item; refusal: Refusal }[]
}

/** Each in a savepoint of its own, so that what is refused leaves nothing behind. */
const tryAll = (cx: Cx, root: Pick<Task, 'object_id' | 'new_name'>, items: readonly Item[]): Promise<Tried> =>
  rehearse(cx.services, async ({ services, tx }) => {
    const outcomes: Tried['outcomes'] = new Map()
    const refused: Tried['refused'] = []
    for (const item of items) {
      await sql`SAVEPOINT item`.execute(tx)
      try {
        const asked = { ...askedFor(root, item), isPlan: true }
        outcomes.set(item, await restoreOne(cx.inner({ services }), item.id, asked))
        await sql`RELEASE SAVEPOINT item`.execute(tx)
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === 'ServiceNotAvailable') throw error
        await sql`ROLLBACK TO SAVEPOINT item`.execute(tx)
        refused.push({ item, refusal: error })
        // Nothing else can come back without it.
        if (item.object_id === root.object_id) break
      }
    }
    return { outcomes, refused }
  })

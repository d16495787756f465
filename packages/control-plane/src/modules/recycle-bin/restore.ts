import type { Restored, RestorePlan, RestoreStep } from '@gantry/api/history/recycle-bin'
import { type RecycledKind, restoredTogether, restoreOrder } from '@gantry/api/history/recycle-bin.rules'
import { type RawBuilder, sql } from 'kysely'
import { type Change, change } from '../../change/change.ts'
import { rehearse } from '../../change/rehearsal.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid, notFound, Refusal } from '../../context/refusal.ts'
import type { Input } from '../../pipeline/implement.ts'
import { countHeld } from './held.ts'
import { isKept, type Item, needItem, readItems, scopeOf, viewOf } from './items.ts'
import { instance } from './restoring/instance.ts'
import { externalSubnet, floatingIp, subnet, vpc } from './restoring/network.ts'
import { project } from './restoring/project.ts'
import { nameFor, type Restorer } from './restoring/restorer.ts'
import { disk, image, instanceSnapshot, snapshot } from './restoring/storage.ts'

const restorers: Readonly<Record<RecycledKind, Restorer>> = {
  instance,
  disk,
  snapshot,
  'instance-snapshot': instanceSnapshot,
  image,
  'floating-ip': floatingIp,
  'external-subnet': externalSubnet,
  vpc,
  'vpc-subnet': subnet,
  project,
}

export interface Asked {
  name?: string | undefined
  /** Proposes another name for one that is taken, and does not refuse. */
  isPlan: boolean
}
export type Outcome = Pick<Restored, 'name' | 'steps'>

/** Brings back one item inside a change. The second of two requests finds it gone. */
export async function bringBack(tx: Change, item: Item, { name: asked, isPlan }: Asked): Promise<Outcome> {
  const { table, restore } = restorers[item.kind]
  const taken = await tx.plain.deleteFrom('recycled').where('id', '=', item.id).executeTakeFirst()
  const row = taken.numDeletedRows > 0n ? await tx.lockDeleted(table, item.object_id) : undefined
  if (!row) throw notFound('recycled-item', { id: item.id })
  const name = await nameFor(tx, table, row as unknown as { name: string }, { asked, isPlan })
  const steps: RestoreStep[] = []
  const tell = (step: Partial<RestoreStep>) => steps.push({ id: null, detail: null, ...step } as RestoreStep)
  tx.at(scopeOf(item))
  tx.note('recycled-item', item.id, undefined, undefined, scopeOf(item))
  await countHeld(tx, item.silo_id, -item.storage)
  await restore({ tx, item, row, kept: item.kept, name, tell } as unknown as Parameters<typeof restore>[0])
  return { name, steps }
}

/** What else is in the bin that belongs to an item. */
function belonging({ kind, object_id, kept }: Item): RawBuilder<unknown> {
  if (kind === 'project') return sql`t.project_id = ${object_id}`
  if (kind === 'vpc') return sql`t.parent_id = ${object_id}`
  const disks = kind === 'instance' ? (kept as { disks: string[] }).disks : []
  return sql`t.object_id = ANY (${disks}::uuid[])`
}

const rank = ({ kind }: Item): number => restoreOrder.indexOf(kind)

/** Restores items in one change, those first that others need. */
async function bringAllBack(
  tx: Change,
  item: Item,
  together: readonly Item[],
  asked: Asked,
): Promise<Outcome> {
  const all = [item, ...together].toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      other.time_deleted.getTime() - one.time_deleted.getTime() ||
      (one.id < other.id ? 1 : -1),
  )
  const outcomes = new Map<string, Outcome>()
  for (const each of all)
    outcomes.set(each.id, await bringBack(tx, each, each.id === item.id ? asked : { isPlan: asked.isPlan }))
  const own = outcomes.get(item.id)
  if (!own) throw new Error('the item itself is among them')
  const others = together.flatMap(({ id, kind, object_id, name }): RestoreStep[] => {
    const outcome = outcomes.get(id)
    if (!outcome || own.steps.some((step) => step.id === object_id)) return []
    const isRenamed = outcome.name !== name
    return [
      {
        kind,
        id: object_id,
        name,
        outcome: isRenamed ? 'changed' : 'back',
        detail: isRenamed ? `It comes back as ${outcome.name}.` : null,
      },
    ]
  })
  return { name: own.name, steps: [...own.steps, ...others] }
}

/** Does everything that restoring would do, and rolls it back, so that the plan is what will happen. */
async function lookAt(cx: Cx, item: Item, together: readonly Item[]): Promise<Outcome | Refusal> {
  try {
    return await rehearse(cx.services, ({ services }) =>
      change(cx.inner({ services }), scopeOf(item), (tx) =>
        bringAllBack(tx, item, together, { isPlan: true }),
      ),
    )
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'ServiceNotAvailable') return error
    throw error
  }
}

/** For those who may restore it, because looking locks what restoring would change. */
export async function viewRestore(cx: Cx, { path }: Input<'recycledItemPlan'>): Promise<RestorePlan> {
  const item = await needItem(cx, path.item_id)
  const which = sql`${belonging(item)} AND t.silo_id = ${item.silo_id} AND ${isKept(cx)}`
  const together = await readItems(cx, which, restoredTogether)
  cx.charge(together.length)
  const counted = await sql<{
    count: number
  }>`SELECT count(*)::int8 AS count FROM recycled t WHERE ${which}`.execute(cx.db)
  const found = await lookAt(cx, item, together)
  const refused = found instanceof Refusal
  return {
    item: viewOf(cx, item),
    together: together.map((other) => viewOf(cx, other)),
    together_count: counted.rows[0]?.count ?? 0,
    name: refused ? item.name : found.name,
    steps: refused ? [] : found.steps,
    why_not: refused ? `${found.message}. ${found.extra.help}` : null,
  }
}

export async function restoreItem(cx: Cx, { path, body }: Input<'recycledItemRestore'>): Promise<Restored> {
  const item = await needItem(cx, path.item_id)
  const together = await togetherWith(cx, item, body.together)
  cx.charge(together.length)
  const { name, steps } = await change(cx, scopeOf(item), (tx) =>
    bringAllBack(tx, item, together, { name: body.name ?? undefined, isPlan: false }),
  )
  const { kind, object_id, project_id } = item
  return { kind, object_id, project_id, name, steps }
}

async function togetherWith(cx: Cx, item: Item, ids: readonly string[]): Promise<Item[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  const which = sql`${belonging(item)} AND t.id = ANY (${wanted}::uuid[]) AND t.silo_id = ${item.silo_id} AND ${isKept(cx)}`
  const found = await readItems(cx, which, wanted.length)
  if (found.length < wanted.length)
    throw invalid(
      'an item to be restored together is not in the recycle bin, or does not belong to the first one',
      'Review what restoring would do now, then try again.',
    )
  return found
}

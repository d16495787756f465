import type { SledDrain } from '@gantry/api/system/hardware'
import type { DrainItemState } from '@gantry/api/system/hardware.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import type { Reader } from '@gantry/control-plane/db/database'

type Drain = Row<'sled_drain'>
type Item = Row<'sled_drain_item'>

/** States in which an instance no longer concerns the drain. */
const finishedStates: ReadonlySet<DrainItemState> = new Set(['moved', 'stopped', 'ended'])
export const isFinished = (state: DrainItemState): boolean => finishedStates.has(state)

export const runningDrain = (db: Reader, sledId: string): Promise<Drain | undefined> =>
  db
    .selectFrom('sled_drain')
    .selectAll()
    .where('sled_id', '=', sledId)
    .where('state', '=', 'running')
    .executeTakeFirst()

export const findDrain = (db: Reader, id: string): Promise<Drain | undefined> =>
  db.selectFrom('sled_drain').selectAll().where('id', '=', id).executeTakeFirst()

export const itemsOf = (db: Reader, drainId: string): Promise<Item[]> =>
  db.selectFrom('sled_drain_item').selectAll().where('drain_id', '=', drainId).execute()

/** The drain if it still runs, locked, which serialises its actions with its cancellation. */
export const lockRunning = (tx: Pick<Change, 'plain'>, id: string): Promise<Drain | undefined> =>
  tx.plain
    .selectFrom('sled_drain')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

/** Stores and publishes an item's new state; an unchanged one is ignored. */
export async function putItem(tx: Change, item: Item): Promise<void> {
  const { drain_id, instance_id, state, sled_id, reason } = item
  const known = await tx.plain
    .selectFrom('sled_drain_item')
    .selectAll()
    .where('drain_id', '=', drain_id)
    .where('instance_id', '=', instance_id)
    .executeTakeFirst()
  if (known?.state === state && known.sled_id === sled_id && known.reason === reason) return
  await tx.plain
    .insertInto('sled_drain_item')
    .values(item)
    .onConflict((conflict) =>
      conflict.columns(['drain_id', 'instance_id']).doUpdateSet({ state, sled_id, reason }),
    )
    .execute()
  tx.note('sled-drain', drain_id, undefined, { instance_id, state })
}

/** Loads the items of all drains in one query. */
export async function drainViews(db: Reader, drains: readonly Drain[]): Promise<SledDrain[]> {
  const ids = drains.map(({ id }) => id)
  const items =
    ids.length === 0
      ? []
      : await db
          .selectFrom('sled_drain_item as item')
          .innerJoin('instance', 'instance.id', 'item.instance_id')
          .innerJoin('project', 'project.id', 'instance.project_id')
          .innerJoin('silo', 'silo.id', 'project.silo_id')
          .selectAll('item')
          .select(['instance.name', 'project.name as project_name', 'silo.name as silo_name'])
          .where('item.drain_id', 'in', ids)
          .orderBy('silo.name')
          .orderBy('project.name')
          .orderBy('instance.name')
          .execute()
  return drains.map(({ id, sled_id, mode, state, time_created, time_ended }) => {
    const own = items.filter(({ drain_id }) => drain_id === id)
    return {
      id,
      sled_id,
      mode,
      state,
      instances: own.map(({ instance_id, name, project_name, silo_name, ...item }) => ({
        instance: { id: instance_id, name, project_name, silo_name },
        state: item.state,
        sled_id: item.sled_id,
        reason: item.reason,
      })),
      finished: own.filter((item) => isFinished(item.state)).length,
      total: own.length,
      time_created: time_created.toISOString(),
      time_ended: time_ended?.toISOString() ?? null,
    }
  })
}

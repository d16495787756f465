import type { FailureReason, Refused } from '@gantry/api/extensions'
import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import type { Task } from '@gantry/api/history/task'
import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { TaskSource, Told } from '@gantry/control-plane/modules/tasks/source'
import { cancelledCode, type ItemCounts, itemCounts } from './counts.ts'

type Action = Row<'instance_action'>

/** Actions on many instances and deletions of many others, each one task. */
export const instanceActionTasks: TaskSource = {
  kind: 'instance-action',
  open: sql`SELECT id FROM instance_action WHERE time_completed IS NULL`,
  with: (objectId) => sql`SELECT action_id AS id FROM instance_action_item
    WHERE instance_id = ${objectId}::uuid AND state IN ('pending', 'under_way')`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const rows = await cx.db.selectFrom('instance_action').selectAll().where('id', 'in', ids).execute()
    const counts = await countsOf(
      cx,
      rows.filter(({ done_count }) => done_count === null),
    )
    const actions = new Map(rows.map((row) => [row.id, row]))
    const totalOf = ({ id, total_count }: Action) => counts.get(id)?.total ?? total_count
    const only = await firstItems(
      cx,
      rows.filter((row) => totalOf(row) === 1),
    )
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const action = actions.get(object_id)
        return action ? [[id, toldOf(cx, action, counts.get(object_id), only.get(object_id))]] : []
      }),
    )
  },
  failures: async (cx, { object_id }) => {
    const rows = await cx.db
      .selectFrom('instance_action_item')
      .select(['instance_id as id', 'name', 'error'])
      .where('action_id', '=', object_id)
      .where('state', '=', 'failed')
      .where(sql`error->>'code'`, 'is distinct from', cancelledCode)
      .orderBy('position')
      .limit(bulkActionLimits.instances)
      .execute()
    return rows.map(({ id, name, error }) => {
      const { message = 'It failed.', help = '' } = (error ?? {}) as Partial<Refused>
      return { id, name, message, next_step: help }
    })
  },
}

async function countsOf(cx: Cx, actions: readonly Action[]): Promise<Map<string, ItemCounts>> {
  if (actions.length === 0) return new Map()
  const { rows } = await itemCounts(
    cx.db,
    actions.map(({ id }) => id),
  )
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

type Item = Pick<Row<'instance_action_item'>, 'action_id' | 'instance_id' | 'name' | 'error'>

/** The instance of actions on only one. */
async function firstItems(cx: Cx, actions: readonly Action[]): Promise<Map<string, Item>> {
  if (actions.length === 0) return new Map()
  const rows = await cx.db
    .selectFrom('instance_action_item')
    .select(['action_id', 'instance_id', 'name', 'error'])
    .where(
      'action_id',
      'in',
      actions.map(({ id }) => id),
    )
    .where('position', '=', 0)
    .execute()
  return new Map(rows.map((row) => [row.action_id, row]))
}

function toldOf(cx: Cx, action: Action, counted: ItemCounts | undefined, only: Item | undefined): Told {
  const { id, time_completed, time_cancelled, done_count, failed_count, total_count } = action
  const counts = counted ?? {
    done: done_count ?? 0,
    running: 0,
    failed: failed_count ?? 0,
    total: total_count ?? 0,
  }
  const isMine = cx.actor.kind === 'silo_user' && action.silo_user_id === cx.actor.user_id
  const actions: Task['actions'] = []
  const others = action.kind === 'instance' ? 'instance_action' : 'bulk_deletion'
  const prefix = action.tagging ? 'bulk_tagging' : others
  if (
    isMine &&
    !time_completed &&
    !time_cancelled &&
    counts.done + counts.running + counts.failed < counts.total
  )
    actions.push({ action: 'cancel', operation: `${prefix}_cancel`, target: id })
  if (isMine && time_completed && counts.failed > 0)
    actions.push({ action: 'retry', operation: `${prefix}_retry`, target: id })
  return {
    verb: action.action,
    object: { kind: action.kind, id: only?.instance_id ?? null, name: only?.name ?? null },
    count: counts.total,
    state: !time_completed
      ? 'running'
      : time_cancelled
        ? 'cancelled'
        : counts.failed > 0
          ? 'failed'
          : 'finished',
    time_ended: time_completed,
    progress: { unit: 'objects', ...counts },
    failure:
      time_completed && counts.failed > 0 && !time_cancelled ? failureOf(counts, only, time_completed) : null,
    actions,
  }
}

function failureOf({ failed, total }: ItemCounts, only: Item | undefined, time: Date): FailureReason {
  const error: Refused = only?.error ?? {
    code: 'some_failed',
    message: `${failed} of ${total} failed.`,
    help: 'See which, and why.',
  }
  const { code, message, help: next_step } = error
  return { code, message, next_step, details: null, time: time.toISOString() }
}

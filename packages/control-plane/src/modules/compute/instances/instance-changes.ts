import type { InstanceChange } from '@gantry/api/compute/instance-change'
import type { InstanceEvent } from '@gantry/api/compute/instance-change.rules'
import { ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { relationPage } from '@gantry/control-plane/list/keyset-page'
import { momentOf, timeKey } from '@gantry/control-plane/list/time-key'
import { need } from '@gantry/control-plane/lookup/need'

type Size = Pick<Row<'instance'>, 'ncpus' | 'memory'>
interface Found {
  id: string
  time: Date
  event: InstanceEvent
  object_id: string
  object_name: string | null
  before: Size | null
  after: Size | null
}

/**
 * Change records of the instance and of what was attached to it, as events. All are of children of its project, so the
 * right to list the contents of the instance covers them.
 */
export const listInstanceChanges = (cx: Cx, { path, query }: Input<'instanceChangeList'>) =>
  relationPage(
    cx,
    ops.instanceChangeList,
    {
      columns: sql<Found>`t.id, t.time, t.event, t.object_id, t.object_name, t.before, t.after`,
      from: sql`(${eventsOf})`,
    },
    query,
    {
      keys: { time_and_id: timeKey('time') },
      where: async ({ project, start_time, end_time }) => {
        const { row } = await need(cx, 'instance', { ...path, project }, 'list_children')
        return [
          sql`t.instance_id = ${row.id}`,
          sql`t.project_id = ${row.project_id}`,
          sql`t.event IS NOT NULL`,
          ...(start_time ? [sql`t.time >= ${momentOf(start_time)}`] : []),
          ...(end_time ? [sql`t.time < ${momentOf(end_time)}`] : []),
        ]
      },
    },
    changeView,
  )

const changeView = ({ id, time, event, object_id, object_name, before, after }: Found): InstanceChange => ({
  id,
  time: time.toISOString(),
  event,
  object: object_name === null ? null : { id: object_id, name: object_name },
  resize: event === 'resized' && before && after ? { before: sizeOf(before), after: sizeOf(after) } : null,
})

const sizeOf = ({ ncpus, memory }: Size) => ({ ncpus, memory })

const was = (column: string): RawBuilder<unknown> => sql`c.before->>${sql.lit(column)}`
const is = (column: string): RawBuilder<unknown> => sql`c.after->>${sql.lit(column)}`
const differs = (column: string): RawBuilder<boolean> => sql`${was(column)} IS DISTINCT FROM ${is(column)}`

/** A start is complete when the machine runs, which is when its counters begin. */
const ownEvent = sql<string | null>`CASE
  WHEN c.op = 'create' THEN 'created'
  WHEN c.op <> 'update' THEN NULL
  WHEN ${differs('ncpus')} OR ${differs('memory')} THEN 'resized'
  WHEN NOT (${differs('run_state')}) THEN NULL
  WHEN ${differs('time_last_auto_restarted')} THEN 'restarted'
  WHEN ${is('run_state')} = 'running' AND ${was('run_state')} = 'starting' THEN 'started'
  WHEN ${is('run_state')} = 'stopped' AND ${was('run_state')} <> 'creating' THEN 'stopped'
  WHEN ${is('run_state')} = 'rebooting' THEN 'rebooted'
  WHEN ${is('run_state')} = 'migrating' THEN 'migrated'
  WHEN ${is('run_state')} = 'failed' THEN 'failed' END`

/** The address that instances share for outgoing connections comes and goes with them. */
const attachedEvent = sql<string | null>`CASE
  WHEN c.kind = 'disk' AND ${is('instance_id')} IS NOT NULL THEN 'disk_attached'
  WHEN c.kind = 'disk' THEN 'disk_detached'
  WHEN c.kind = 'instance-network-interface' AND ${is('instance_id')} IS NOT NULL THEN 'nic_added'
  WHEN c.kind = 'instance-network-interface' THEN 'nic_removed'
  WHEN coalesce(${is('kind')}, ${was('kind')}) = 'snat' THEN NULL
  WHEN c.kind IN ('external-ip', 'floating-ip') AND ${is('instance_id')} IS NOT NULL THEN 'address_attached'
  WHEN c.kind IN ('external-ip', 'floating-ip') THEN 'address_detached' END`

/** The condition and the first column are those of the index `change_of_instance`. */
const eventsOf = sql`
  SELECT CASE WHEN c.kind = 'instance' THEN c.object_id::text
      ELSE coalesce(${is('instance_id')}, ${was('instance_id')}) END AS instance_id,
    c.id, c.time, c.project_id, c.object_id,
    CASE WHEN c.kind <> 'instance' THEN coalesce(c.name, ${is('ip')}, ${was('ip')}, '') END AS object_name,
    CASE WHEN c.kind = 'instance' THEN c.before END AS before,
    CASE WHEN c.kind = 'instance' THEN c.after END AS after,
    CASE WHEN c.kind = 'instance' THEN ${ownEvent} ELSE ${attachedEvent} END AS event
  FROM change c WHERE c.kind = 'instance' OR ${differs('instance_id')}`

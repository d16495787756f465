import type { Alert } from '@gantry/api/system/alert'
import { classesOf } from '@gantry/api/system/alert-class.rules'
import { alertPageMax, isGlob, probeClass } from '@gantry/api/system/alert.rules'
import type { QueryOf } from '@gantry/api/op'
import { ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid, invalidValue, notFound } from '../../context/refusal.ts'
import { type Relation, relationPage } from '../../list/keyset-page.ts'
import { momentOf, timeKey } from '../../list/time-key.ts'
import { addressOf, needFleet } from '../../lookup/need.ts'
import { mayRead } from './readers.ts'
import { refuseUnknownClass } from './receivers.ts'

type AlertQuery = QueryOf<typeof ops.alertList>
type Stored = Pick<
  Row<'alert'>,
  'id' | 'alert_class' | 'payload' | 'version' | 'time_created' | 'silo_id' | 'project_id'
>

const stored: Relation<Stored> = {
  columns: sql`t.id, t.alert_class, t.payload, t.version, t.time_created, t.silo_id, t.project_id`,
  from: sql`alert`,
}

export async function listAlerts(cx: Cx, query: AlertQuery) {
  needFleet(cx, 'list_children')
  const { items, next_page } = await relationPage(
    cx,
    ops.alertList,
    stored,
    query,
    {
      keys: { time_and_id: timeKey('time_created') },
      where: async (asked) => conditionsOf(asked),
      maxLength: () => alertPageMax,
    },
    (row) => row,
  )
  return { items: await viewsOf(cx, items), next_page }
}

function conditionsOf({ alert_class, start_time, end_time }: AlertQuery): RawBuilder<unknown>[] {
  if (start_time && end_time && Date.parse(end_time) < Date.parse(start_time))
    throw invalid('end_time is before start_time', 'Name an end that is not before the start.')
  return [
    ...(alert_class ? [sql`t.alert_class = ANY (${[...classesFor(alert_class)]}::text[])`] : []),
    ...(start_time ? [sql`t.time_created >= ${momentOf(start_time)}`] : []),
    ...(end_time ? [sql`t.time_created <= ${momentOf(end_time)}`] : []),
  ]
}

function classesFor(asked: string): readonly string[] {
  if (!isGlob(asked)) {
    if (asked === probeClass) throw invalidValue('alert_class', 'probes are not kept, so that none is listed')
    refuseUnknownClass(asked)
    return [asked]
  }
  const names = classesOf(asked)
  if (names.length === 0) throw notFound('', { text: `no alert class matches "${asked}"` })
  return names
}

export async function viewAlert(cx: Cx, { alert_id }: { alert_id: string }): Promise<Alert> {
  needFleet(cx, 'read')
  const { rows } =
    await sql<Stored>`SELECT ${stored.columns} FROM ${stored.from} t WHERE t.id = ${alert_id}`.execute(cx.db)
  const [view] = await viewsOf(cx, rows)
  if (!view) throw addressOf('alert', alert_id)
  return { ...view, receivers: await receiversOf(cx, alert_id) }
}

/** No alert changes after it was raised. */
async function viewsOf(cx: Cx, rows: readonly Stored[]): Promise<Alert[]> {
  const deliveries = await countsOf(
    cx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const time = row.time_created.toISOString()
    const is_withheld = !mayRead(cx, row, row.payload)
    return {
      id: row.id,
      time_created: time,
      time_modified: time,
      class: row.alert_class,
      version: row.version,
      alert: is_withheld ? {} : row.payload,
      is_withheld,
      deliveries: deliveries.get(row.id) ?? { pending: 0, delivered: 0, failed: 0 },
    }
  })
}

type Counts = NonNullable<Alert['deliveries']>

async function countsOf(cx: Cx, ids: readonly string[]): Promise<ReadonlyMap<string, Counts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Counts & { alert_id: string }>`SELECT alert_id,
      count(*) FILTER (WHERE state = 'pending')::int AS pending,
      count(*) FILTER (WHERE state = 'delivered')::int AS delivered,
      count(*) FILTER (WHERE state = 'failed')::int AS failed
    FROM alert_delivery WHERE alert_id = ANY (${ids}::uuid[]) GROUP BY alert_id`.execute(cx.db)
  return new Map(rows.map(({ alert_id, ...counts }) => [alert_id, counts]))
}

/** Receivers named for one alert, those with the newest delivery first. */
const receiversMax = 100

async function receiversOf(cx: Cx, alert_id: string): Promise<NonNullable<Alert['receivers']>> {
  const { rows } = await sql<
    Pick<Row<'alert_delivery'>, 'state' | 'time_started'> & { id: string; name: string; delivery_id: string }
  >`SELECT * FROM (
      SELECT DISTINCT ON (r.id) r.id, r.name, d.id AS delivery_id, d.state, d.time_started, d.position
      FROM alert_delivery d JOIN alert_receiver r ON r.id = d.alert_receiver_id AND r.time_deleted IS NULL
      WHERE d.alert_id = ${alert_id} ORDER BY r.id, d.position DESC
    ) last ORDER BY position DESC LIMIT ${receiversMax}`.execute(cx.db)
  return rows.map(({ id, name, delivery_id, state, time_started }) => ({
    id,
    name,
    delivery_id,
    state,
    time_started: time_started.toISOString(),
  }))
}

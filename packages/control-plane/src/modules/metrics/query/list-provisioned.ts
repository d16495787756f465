import type { Measurement } from '@gantry/api/metrics/metric'
import type { ProvisioningMetric } from '@gantry/api/metrics/metric.rules'
import type { Operation } from '@gantry/api/op'
import { ops } from '@gantry/api/registry'
import { defaultPageSize, maxPageSize } from '@gantry/api/schema'
import { fleetId } from '@gantry/control-plane/authz/actor'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { need, needFleet, needOwnSilo } from '@gantry/control-plane/lookup/need'
import { encodeToken, readToken } from '@gantry/control-plane/list/page-token'
import { unreadable } from '@gantry/control-plane/context/refusal'

type Page = { items: Measurement[]; next_page: string | null }

export const listSiloMetric = (cx: Cx, { path, query }: Input<'siloMetric'>): Promise<Page> =>
  listMetric(cx, ops.siloMetric, path.metric_name, query, async ({ project }) =>
    project ? (await need(cx, 'project', { project }, 'read')).row.id : needOwnSilo(cx, 'read').silo_id,
  )

export const listSystemMetric = (cx: Cx, { path, query }: Input<'systemMetric'>): Promise<Page> =>
  listMetric(cx, ops.systemMetric, path.metric_name, query, async ({ silo }) => {
    needFleet(cx, 'read')
    return silo ? (await need(cx, 'silo', { silo }, 'read')).row.id : fleetId
  })

interface Asked {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  start_time?: string | null | undefined
  end_time?: string | null | undefined
  order?: 'ascending' | 'descending' | null | undefined
  project?: string | null | undefined
  silo?: string | null | undefined
}

const isTime = (text: string): boolean =>
  /^\d{4}-[\d-]+T[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))

/**
 * One page of provisioned amounts. The token keeps the requested order, unlike the reference's, which falls back to
 * ascending.
 */
async function listMetric(
  cx: Cx,
  op: Operation,
  metric: ProvisioningMetric,
  query: Asked,
  ownerOf: (asked: Asked) => Promise<string>,
): Promise<Page> {
  const { operation } = cx.request
  const marker = query.page_token
    ? readToken(query.page_token, { ...op, sorts: ['ascending', 'descending'] }, operation, () => ({
        reads: isTime,
        isUnique: true,
      }))
    : undefined
  // The operation's schema has already parsed it.
  const asked: Asked = marker ? marker.asked : query
  const { start_time, end_time } = asked
  if (!start_time || !end_time) throw unreadable('unable to parse query string: invalid page token')
  const order = (marker?.sort ?? asked.order) === 'descending' ? 'desc' : 'asc'
  const id = await ownerOf(asked)
  const rows = cx.db
    .selectFrom('provisioned')
    .select(['time', 'value'])
    .where('id', '=', id)
    .where('metric', '=', metric)
    .where('time', '>=', new Date(start_time))
    .where('time', '<', new Date(end_time))
    .orderBy('time', order)
    .limit(Math.min(query.limit ?? defaultPageSize, maxPageSize))
  const found = await (
    marker ? rows.where('time', order === 'asc' ? '>' : '<', new Date(marker.last)) : rows
  ).execute()
  const items = found.map(({ time, value }) => ({
    timestamp: time.toISOString(),
    datum: { type: 'i64' as const, datum: value },
  }))
  const last = items.at(-1)
  const { project, silo } = asked
  const selectors = { start_time, end_time, ...(project && { project }), ...(silo && { silo }) }
  return {
    items,
    next_page: last
      ? encodeToken({
          v: 1,
          op: operation,
          sort: order === 'asc' ? 'ascending' : 'descending',
          selectors,
          last: last.timestamp,
        })
      : null,
  }
}

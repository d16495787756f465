import type { OxqlQueryResult, TimeseriesSchema } from '@gantry/api/metrics/metric'
import { ops } from '@gantry/api/registry'
import type { Reader } from '@gantry/control-plane/db/database'
import { arrayPage } from '@gantry/control-plane/list/array-page'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Reply } from '@gantry/control-plane/pipeline/implement'
import { need, needFleet } from '@gantry/control-plane/lookup/need'
import type { Services } from '@gantry/control-plane/context/services'
import { evaluate } from '@gantry/control-plane/oxql/evaluate'
import type { OxqlTable } from '@gantry/control-plane/oxql/model'
import { parseQuery } from '@gantry/control-plane/oxql/parse'
import { tagKeysOf } from '@gantry/control-plane/oxql/tag-fields'
import { withinProject } from '@gantry/control-plane/oxql/within-project'
import { answerWith } from './answer.ts'
import { catalogue } from './catalogue.ts'
import { inShare, type Spend } from './shares.ts'
import { configuredStore } from '../store/configured-store.ts'
import { type TagPlace, taggedSource } from './tagged-source.ts'
import { timeseriesSource } from './timeseries-source.ts'

export type Query = ReturnType<typeof parseQuery>
type Answer = OxqlQueryResult | Reply

export async function queryProject(cx: Cx, at: { project: string }, text: string): Promise<Answer> {
  const { row } = await need(cx, 'project', at, 'read')
  return answer(cx, withinProject(parseQuery(text), { silo: row.silo_id, project: row.id }), {
    project: row.id,
  })
}

export async function querySystem(cx: Cx, text: string): Promise<Answer> {
  needFleet(cx, 'read')
  return answer(cx, parseQuery(text), 'fleet')
}

function answer(cx: Cx, query: Query, place: TagPlace): Promise<Answer> {
  const { services, db } = cx
  const signal = cx.raw?.signal
  return inShare(cx, async (spend) =>
    answerWith(await tablesOf({ ...services, db }, query, { place, signal, spend }), signal),
  )
}

type Asking = Pick<Services, 'settings' | 'clock' | 'samples'> & { db: Reader }

interface Within {
  place: TagPlace
  signal?: AbortSignal | undefined
  spend?: Spend | undefined
}

/** The result of a query at the current time, within the limits of this server. */
export function tablesOf(
  { db, settings, clock, samples }: Asking,
  query: Query,
  { place, signal, spend }: Within,
): Promise<OxqlTable[]> {
  const { query_points, query_seconds } = settings.metrics
  const samplesOnly = timeseriesSource(db, configuredStore({ samples }), clock)
  const source = taggedSource(samplesOnly, db, { keys: tagKeysOf(query), place })
  return evaluate(query, source, {
    now: clock().getTime() * 1000,
    limits: { points: query_points, timeseries: 100_000, durationMs: query_seconds * 1000 },
    clock: () => clock().getTime(),
    signal,
    spend,
  })
}

interface Page {
  limit?: number | null | undefined
  page_token?: string | null | undefined
}

/** The schemas of sampled timeseries, by name. */
export async function listSchemas(
  cx: Cx,
  query: Page,
): Promise<{ items: TimeseriesSchema[]; next_page: string | null }> {
  needFleet(cx, 'list_children')
  const recorded = await cx.db.selectFrom('timeseries_name').selectAll().execute()
  const created = new Map(recorded.map(({ name, time_created }) => [name, time_created]))
  const schemas = [...catalogue.values()].flatMap(
    ({ sampledMs: _sampledMs, ...schema }): TimeseriesSchema[] => {
      const since = created.get(schema.timeseries_name)
      return since ? [{ ...schema, created: since.toISOString() }] : []
    },
  )
  return arrayPage(cx, ops.systemTimeseriesSchemaList, query, {
    items: () => schemas,
    keyOf: ({ timeseries_name }) => timeseries_name,
    isKey: (text) => catalogue.has(text),
  })
}

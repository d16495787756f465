import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import type { ChartRange } from '#/ui/chart/chart.ts'
import type { MetricTable } from './chart-data.ts'
import { groupText, type MetricQuery, queryText } from './oxql-text.ts'

/** The data of each chart: a table, nothing, or the failure. */
export type ChartResult = { table: MetricTable | undefined; failure?: undefined } | { failure: Failure }

/** Some servers refuse to group no rows, which means an empty chart (console reference B 7.5). */
const emptyRefusal = 'Input tables to a `group_by` must be aligned'
/** A sliding page reads every few seconds, so old results are dropped soon. */
const keptMs = 30_000

/**
 * The charts of a page, in one request. `subject` identifies their content: a sliding page keeps its charts until the
 * next ones arrive, a page with another subject does not.
 */
export const chartResults = (
  project: string,
  queries: readonly MetricQuery[],
  range: ChartRange,
  subject: string,
) => {
  const texts = queries.map((query) => queryText(query, range))
  return queryOptions<ChartResult[], Failure>({
    queryKey: [op.timeseriesQuery.name, { project, texts, subject }],
    queryFn: ({ signal }) => readTogether(project, texts, signal),
    placeholderData: (previous, previousQuery) =>
      (previousQuery?.queryKey[1] as { subject?: string } | undefined)?.subject === subject
        ? previous
        : undefined,
    gcTime: keptMs,
    enabled: texts.length > 0,
  })
}

async function readTogether(
  project: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ChartResult[]> {
  try {
    const tables = await readTables(project, groupText(texts), signal)
    if (tables.length === texts.length) return tables.map((table) => ({ table }))
  } catch (error) {
    if (!(error instanceof Failure) || error.statusCode !== 400) throw error
  }
  // One refused query refuses all, so this sends each separately, and the others keep their charts.
  return Promise.all(texts.map((text) => readAlone(project, text, signal)))
}

async function readAlone(project: string, text: string, signal: AbortSignal): Promise<ChartResult> {
  try {
    const [table] = await readTables(project, text, signal)
    return { table }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.message.includes(emptyRefusal) ? { table: undefined } : { failure: error }
  }
}

const readTables = async (project: string, query: string, signal: AbortSignal) =>
  (await call(op.timeseriesQuery, { query: { project }, body: { query } }, { signal })).data.tables

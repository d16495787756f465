import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import type { ChartRange } from '#/ui/chart/chart.ts'
import type { MetricTable } from './chart-data.ts'
import { groupText, type MetricQuery, queryText } from './oxql-text.ts'

/** What each chart of a page shows: a table, nothing, or why not. */
export type ChartResult = { table: MetricTable | undefined; failure?: undefined } | { failure: Failure }

/** Some servers refuse to group nothing; that is an empty chart (console reference B 7.5). */
const emptyRefusal = 'Input tables to a `group_by` must be aligned'
/** A page that slides reads every few seconds; what it no longer shows need not be kept for long. */
const keptMs = 30_000

/**
 * The charts of a page, by one request. `subject` says what they are of, so that a page which slides keeps its charts
 * until the next ones arrive, and one that shows something else does not.
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
  // One refused query refuses all, so each is asked by itself, and the others keep their charts.
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

import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import { allQuery } from '#/data/queries.ts'
import type { MetricTable } from '../chart-data.ts'

/** Whose timeseries a query reads: one project's, or the fleet's where there is none. */
export interface Within {
  project?: string
}

/** An answer can be large, and the next one replaces it. */
const keptMs = 30_000

/** What a query answers at the moment it is run. It is run again only when somebody asks. */
export const answerOf = ({ project }: Within, query: string | undefined) =>
  queryOptions<MetricTable[], Failure>({
    queryKey: ['explorer', { project, query }],
    queryFn: async ({ signal }) => {
      const body = { query: query ?? '' }
      const { data } = await (project === undefined
        ? call(op.systemTimeseriesQuery, { body }, { signal })
        : call(op.timeseriesQuery, { query: { project }, body }, { signal }))
      return data.tables
    },
    enabled: query !== undefined,
    staleTime: Infinity,
    gcTime: keptMs,
  })

export const sampledSchemas = allQuery(op.systemTimeseriesSchemaList, {})

/** Where a query cannot be read, counted from 1. */
export interface Place {
  line: number
  column: number
  expected: readonly string[]
}

/** The place that a refusal names, if it names one. */
export function placeOf({ details }: Pick<Failure, 'details'>): Place | undefined {
  const { line, column, expected } = (details ?? {}) as Partial<Record<keyof Place, unknown>>
  if (!isCount(line) || !isCount(column)) return undefined
  const words = Array.isArray(expected) ? expected.filter((each) => typeof each === 'string') : []
  return { line, column, expected: words }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1

import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import { allQuery } from '#/data/queries.ts'
import type { MetricTable } from '../chart-data.ts'

/** The scope of a query: one project, or the fleet if undefined. */
export interface Within {
  project?: string
}

/** A result can be large, and the next one replaces it. */
const keptMs = 30_000

/** The result of a query at the time it runs. It runs again only on request. */
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

/** The position of a syntax error, counted from 1. */
export interface ErrorPosition {
  line: number
  column: number
  expected: readonly string[]
}

/** The position in a refusal, if any. */
export function errorPositionOf({ details }: Pick<Failure, 'details'>): ErrorPosition | undefined {
  const { line, column, expected } = (details ?? {}) as Partial<Record<keyof ErrorPosition, unknown>>
  if (!isCount(line) || !isCount(column)) return undefined
  const words = Array.isArray(expected) ? expected.filter((each) => typeof each === 'string') : []
  return { line, column, expected: words }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1

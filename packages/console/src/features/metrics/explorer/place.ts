import type { Failure } from '#/data/failure.ts'

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

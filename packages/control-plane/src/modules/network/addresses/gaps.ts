import { type RawBuilder, sql } from 'kysely'

/** Numbers without a use: from the first up to, but not including, `until`. */
export interface Gap {
  first: number
  until: number
}

/** One row of a walk along uses: where a gap begins, and where it ends or null at the end of the walk. */
export interface WalkRow {
  index: number
  first: number
  until: number | null
  /** Uses walked so far. */
  walked: number
}

/** Uses of a first walk: search starts are kept close, so that a further one is rare. */
export const firstWalk = 256
const longestWalk = 131_072
export const nextWalk = (walk: number): number => Math.min(walk * 8, longestWalk)

interface Uses {
  /** The half-open stretch that a use occupies. */
  begin: RawBuilder<unknown>
  end: RawBuilder<unknown>
  /** Uses at or above the start, of an index that begins with what this orders by. */
  from: RawBuilder<unknown>
  order: RawBuilder<unknown>
}

/**
 * Walks along the uses from `start` and returns up to `gaps` gaps, ascending; the last row of a walk that found
 * fewer says where it ended. A use may lie within another. The limit makes every plan follow the index: without it
 * PostgreSQL may read and sort all uses above the start.
 */
export const walkText = (
  index: number,
  { begin, end, from, order }: Uses,
  { start, walk, gaps }: { start: number; walk: number; gaps: number },
): RawBuilder<WalkRow> => sql<WalkRow>`(
  SELECT ${sql.lit(index)} AS index, first, until, walked FROM (
    SELECT max(ends) OVER uses_in_order AS first, lead(begins) OVER uses_in_order AS until,
      (row_number() OVER uses_in_order - 1)::int AS walked
    FROM (
      SELECT ${start}::int8 AS begins, ${start}::int8 AS ends
      UNION ALL (SELECT ${begin}, ${end} FROM ${from} ORDER BY ${order} LIMIT ${walk})
    ) uses
    WINDOW uses_in_order AS (ORDER BY begins, ends)
  ) steps WHERE until IS NULL OR until > first ORDER BY walked LIMIT ${gaps})`

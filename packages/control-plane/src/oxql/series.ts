import type { Datum, Fields, Limit, Micros } from './model.ts'
import type { TableType } from './table-type.ts'

/** A timeseries on its way through a query. All arrays have the same length. */
export interface Series {
  /** Orders and identifies the timeseries of a table. */
  key: string
  fields: Fields
  /** Where the interval of each point begins; null for gauges. */
  startTimes: readonly Micros[] | null
  /** When counting had begun, which filters on `start_time` compare; null for gauges. */
  epochs: readonly Micros[] | null
  timestamps: readonly Micros[]
  /** One entry for each dimension. */
  values: readonly (readonly Datum[])[]
}

export interface Table {
  type: TableType
  series: readonly Series[]
}

/** Fields in the order in which they are answered. */
export function sortedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).sort(([left], [right]) => (left < right ? -1 : 1)))
}

export const keyOf = (sorted: Fields): string =>
  JSON.stringify(Object.entries(sorted).map(([name, { value }]) => [name, value]))

/** The points at some positions; undefined without any, because a table has no empty timeseries. */
export function pointsAt(series: Series, positions: readonly number[]): Series | undefined {
  if (positions.length === 0) return undefined
  if (positions.length === series.timestamps.length) return series
  return mapPoints(series, (points) => at(points, positions))
}

export function limited(series: Series, { kind, count }: Limit): Series {
  if (series.timestamps.length <= count) return series
  return mapPoints(series, (points) => (kind === 'first' ? points.slice(0, count) : points.slice(-count)))
}

function mapPoints(
  { key, fields, startTimes, epochs, timestamps, values }: Series,
  choose: <Point>(points: readonly Point[]) => Point[],
): Series {
  return {
    key,
    fields,
    startTimes: startTimes && choose(startTimes),
    epochs: epochs && choose(epochs),
    timestamps: choose(timestamps),
    values: values.map((dimension) => choose(dimension)),
  }
}

/** Positions are those of existing points. */
function at<Point>(points: readonly Point[], positions: readonly number[]): Point[] {
  const chosen: Point[] = []
  for (const position of positions) {
    const point = points[position]
    if (point !== undefined) chosen.push(point)
  }
  return chosen
}

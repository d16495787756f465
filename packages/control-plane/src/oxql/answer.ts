import type { Budget } from './budget.ts'
import type { DataType, Datum, OxqlTable, OxqlTimeseries, ValueArray } from './model.ts'
import { timeTexts } from './moment.ts'
import type { Series, Table } from './series.ts'
import type { Dimension } from './table-type.ts'

/** A table in the API's shape. */
export async function answerOf({ type, series }: Table, budget: Budget): Promise<OxqlTable> {
  const sorted = [...series].sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
  const timeseries: OxqlTimeseries[] = []
  for (const one of sorted) {
    timeseries.push(timeseriesOf(one, type.dimensions))
    await budget.giveWay(one.timestamps.length)
  }
  return { name: type.name, timeseries }
}

function timeseriesOf(
  { fields, startTimes, timestamps, values }: Series,
  dimensions: readonly Dimension[],
): OxqlTimeseries {
  return {
    fields,
    points: {
      start_times: startTimes && timeTexts(startTimes),
      timestamps: timeTexts(timestamps),
      // A timeseries that only the first table of a join has keeps fewer dimensions than its table.
      values: values.flatMap((points, index) => {
        const dimension = dimensions[index]
        return dimension ? [{ metric_type: dimension.metric, values: arrayOf(dimension.data, points) }] : []
      }),
    },
  }
}

function arrayOf(type: DataType, points: readonly Datum[]): ValueArray {
  switch (type) {
    case 'integer':
    case 'double':
      return { type, values: points.map(numberOf) }
    case 'boolean':
      return { type, values: points.map((value) => (typeof value === 'boolean' ? value : null)) }
    case 'string':
      return { type, values: points.map((value) => (typeof value === 'string' ? value : null)) }
    case 'integer_distribution':
    case 'double_distribution':
      return { type, values: points.map((value) => (typeof value === 'object' ? value : null)) }
  }
}

/** JSON has no integers beyond 2^53 that clients read exactly: here they are rounded, and not before. */
const numberOf = (value: Datum): number | null =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null

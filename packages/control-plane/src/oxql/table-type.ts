import type { DataType, DatumType, FieldType, TimeseriesSchema } from './model.ts'
import { OxqlError } from './oxql-error.ts'

export interface Dimension {
  metric: 'gauge' | 'delta'
  data: DataType
}

/** The type of a table, known before anything is read. */
export interface TableType {
  name: string
  fields: ReadonlyMap<string, FieldType>
  /** One, unless joined. */
  dimensions: readonly Dimension[]
  /** The period of alignment; absent: not aligned. */
  period?: number
}

export const isDistribution = (data: DataType): boolean => data.endsWith('_distribution')
export const isNumeric = (data: DataType): boolean => data === 'integer' || data === 'double'

/** `integer_distribution` as messages write it: `IntegerDistribution`. */
export const typeWord = (type: string): string =>
  type.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

/** `["a", "b"]` */
export const nameList = (names: Iterable<string>): string =>
  `[${[...names].map((name) => JSON.stringify(name)).join(', ')}]`

export function loadedType({ timeseries_name, datum_type, field_schema }: TimeseriesSchema): TableType {
  return {
    name: timeseries_name,
    fields: new Map(field_schema.map(({ name, field_type }) => [name, field_type] as const).sort(byName)),
    dimensions: [dimensionOf(timeseries_name, datum_type)],
  }
}

const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1

function dimensionOf(name: string, datum: DatumType): Dimension {
  if (datum === 'bytes') throw new OxqlError(`Timeseries '${name}' has 'Bytes' data, which cannot be queried`)
  if (datum === 'bool') return { metric: 'gauge', data: 'boolean' }
  if (datum === 'string') return { metric: 'gauge', data: 'string' }
  const number = /f(?:32|64)$/.test(datum) ? 'double' : 'integer'
  if (datum.startsWith('histogram_')) return { metric: 'delta', data: `${number}_distribution` }
  return { metric: datum.startsWith('cumulative_') ? 'delta' : 'gauge', data: number }
}

import { checkFilter } from './check-filter.ts'
import type { TimeseriesSchema } from './model.ts'
import { OxqlError } from './oxql-error.ts'
import type { AlignOperation, GroupByOperation, Operation, Query } from './syntax-tree.ts'
import { isNumeric, loadedType, nameList, type TableType, typeWord } from './table-type.ts'

/**
 * The types of the tables that a query gives. Everything that can be refused without reading a sample is
 * refused here.
 */
export function checkQuery(query: Query, schemas: ReadonlyMap<string, TimeseriesSchema>): TableType[] {
  const { from, operations } = query
  const start =
    from.kind === 'get'
      ? [loadedType(known(from.name, schemas))]
      : from.members.flatMap((member) => checkQuery(member, schemas))
  return operations.reduce((tables, operation) => typesAfter(operation, tables), start)
}

function known(name: string, schemas: ReadonlyMap<string, TimeseriesSchema>): TimeseriesSchema {
  const schema = schemas.get(name)
  if (!schema)
    throw new OxqlError(
      `Timeseries not found for: ${name}`,
      undefined,
      'Check the name. A timeseries exists once a sample of it was recorded.',
    )
  return schema
}

/** The types of an operation's output tables. */
export function typesAfter(operation: Operation, tables: readonly TableType[]): TableType[] {
  switch (operation.kind) {
    case 'filter':
      for (const table of tables) checkFilter(operation, table)
      return [...tables]
    case 'align':
      return tables.map((table) => aligned(operation, table))
    case 'group_by':
      return [grouped(operation, tables)]
    case 'join':
      return [joinedType(tables)]
    case 'limit':
      return [...tables]
  }
}

function aligned({ method, period }: AlignOperation, table: TableType): TableType {
  if (method === 'interpolate') throw new OxqlError('Alignment via interpolation is not yet implemented')
  const [dimension, ...more] = table.dimensions
  if (!dimension || more.length > 0)
    throw new OxqlError(`Tables with ${table.dimensions.length} dimensions cannot be aligned`)
  if (!isNumeric(dimension.data))
    throw new OxqlError(`Tables with '${typeWord(dimension.data)}' data types cannot be aligned`)
  return { ...table, period, dimensions: [{ metric: 'gauge', data: 'double' }] }
}

function grouped({ fields }: GroupByOperation, tables: readonly TableType[]): TableType {
  const [table, ...more] = tables
  const start = '`group_by` table operations require'
  if (!table || more.length > 0)
    throw new OxqlError(`${start} exactly one input table, but found ${tables.length}`)
  const { name, dimensions, period } = table
  const [dimension, ...further] = dimensions
  if (!dimension || further.length > 0)
    throw new OxqlError(
      `${start} 1-dimensional tables, but table '${name}' has ${dimensions.length} dimensions`,
    )
  if (!isNumeric(dimension.data))
    throw new OxqlError(
      `${start} numeric data types, but table '${name}' has data type '${typeWord(dimension.data)}'`,
    )
  if (period === undefined)
    throw new OxqlError(
      `Input table to a \`group_by\` table operation must be aligned, but table '${name}' is not aligned`,
      undefined,
      'Write `align mean_within(...)` before `group_by`.',
    )
  const unknown = fields.find((field) => !table.fields.has(field))
  if (unknown !== undefined)
    throw new OxqlError(
      `Cannot group by field '${unknown}', which does not appear in the input tables. Valid fields are: ${nameList(table.fields.keys())}`,
    )
  return { ...table, fields: new Map([...table.fields].filter(([field]) => fields.includes(field))) }
}

function joinedType(tables: readonly TableType[]): TableType {
  const [first, ...rest] = tables
  if (!first || rest.length === 0) throw new OxqlError('`join` table operations require at least 2 tables')
  const start = 'All input tables to a `join` operation must'
  const unaligned = tables.find(({ period }) => period === undefined)
  if (unaligned)
    throw new OxqlError(
      `${start} be aligned, but table '${unaligned.name}' is not aligned`,
      undefined,
      'Write `align mean_within(...)` in each subquery.',
    )
  const broad = tables.find(({ dimensions }) => dimensions.length !== 1)
  if (broad)
    throw new OxqlError(
      `${start} be 1-dimensional, but table '${broad.name}' has ${broad.dimensions.length} dimensions`,
    )
  for (const table of rest) {
    if (table.period !== first.period)
      throw new OxqlError(
        `${start} have the same alignment period, but table '${first.name}' has a period of ${seconds(first)} and table '${table.name}' has a period of ${seconds(table)}`,
      )
    if (fieldsOf(table) !== fieldsOf(first))
      throw new OxqlError(
        `${start} have the same field names and types, but table '${first.name}' has ${fieldsOf(first)} and table '${table.name}' has ${fieldsOf(table)}`,
      )
  }
  return {
    ...first,
    name: tables.map(({ name }) => name).join(','),
    dimensions: tables.flatMap(({ dimensions }) => dimensions),
  }
}

const seconds = ({ period = 0 }: TableType): string => `${period / 1_000_000}s`
const fieldsOf = ({ fields }: TableType): string =>
  `[${[...fields].map(([name, type]) => `${name}: ${type}`).join(', ')}]`

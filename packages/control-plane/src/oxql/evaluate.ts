import { answerOf } from './answer.ts'
import { meanWithin, outputCount } from './align.ts'
import { Budget, type Surroundings } from './budget.ts'
import { checkQuery, typesAfter } from './check.ts'
import { deltas } from './delta.ts'
import { filtered } from './filter.ts'
import { Grouping } from './group-by.ts'
import { joinedSeries } from './join.ts'
import type { Micros, OxqlTable, StoredTimeseries, TimeseriesSchema, TimeseriesSource } from './model.ts'
import { filterCondition, type GetPlan, planQuery } from './plan.ts'
import { keyOf, limited, type Series, sortedFields, type Table } from './series.ts'
import type { Get, GroupByOperation, Operation, Query } from './syntax-tree.ts'
import { loadedType, type TableType } from './table-type.ts'

export interface EvaluateOptions extends Surroundings {
  /** The time of `@now()`, and the end of a query that names none. */
  now: Micros
}

/**
 * The answer to a query. Types and plan are checked before anything is read; then timeseries are read one at
 * a time and reduced at once, so that no more is held than the answer needs.
 */
export async function evaluate(
  query: Query,
  source: TimeseriesSource,
  options: EvaluateOptions,
): Promise<OxqlTable[]> {
  const budget = new Budget(options)
  const schemas = await schemasOf(query, source)
  checkQuery(query, schemas)
  const { gets, end } = planQuery(query, options.now)
  const run = new Run(source, options, budget, schemas, gets, end)
  const tables = await run.tables(query, [])
  const answers: OxqlTable[] = []
  for (const table of tables) answers.push(await answerOf(table, budget))
  return answers
}

async function schemasOf(query: Query, source: TimeseriesSource): Promise<Map<string, TimeseriesSchema>> {
  const schemas = new Map<string, TimeseriesSchema>()
  for (const name of new Set(namesOf(query))) {
    const schema = await source.schema(name)
    if (schema) schemas.set(name, schema)
  }
  return schemas
}

/** The timeseries that a query reads. */
const namesOf = ({ from }: Query): string[] =>
  from.kind === 'get' ? [from.name] : from.members.flatMap(namesOf)

/** The operations on each timeseries alone. */
type Single = Exclude<Operation, { kind: 'group_by' | 'join' }>
const isSingle = (operation: Operation): operation is Single =>
  operation.kind !== 'group_by' && operation.kind !== 'join'

class Run {
  constructor(
    private readonly source: TimeseriesSource,
    private readonly options: EvaluateOptions,
    private readonly budget: Budget,
    private readonly schemas: ReadonlyMap<string, TimeseriesSchema>,
    private readonly gets: ReadonlyMap<Get, GetPlan>,
    private readonly end: Micros,
  ) {}

  /** The operations that follow a group reach into its members as far as they concern single timeseries. */
  async tables({ from, operations }: Query, following: readonly Single[]): Promise<Table[]> {
    const all = [...operations, ...following]
    const split = all.findIndex((operation) => !isSingle(operation))
    const singles = (split === -1 ? all : all.slice(0, split)).filter(isSingle)
    const rest = split === -1 ? [] : all.slice(split)
    let tables: Table[] = []
    if (from.kind === 'get') {
      const [next, ...later] = rest
      if (next?.kind === 'group_by') {
        tables = [await this.groupAsRead(from, singles, next)]
        rest.splice(0, rest.length, ...later)
      } else tables = [await this.load(from, singles)]
    } else for (const member of from.members) tables.push(...(await this.tables(member, singles)))
    for (const operation of rest) {
      this.budget.check()
      tables = this.apply(operation, tables)
    }
    return tables
  }

  private async load(get: Get, singles: readonly Single[]): Promise<Table> {
    const series: Series[] = []
    for await (const one of this.read(get, singles)) series.push(one)
    return { type: this.typeAfter(get, singles), series }
  }

  private async groupAsRead(
    get: Get,
    singles: readonly Single[],
    operation: GroupByOperation,
  ): Promise<Table> {
    const grouping = new Grouping(operation)
    for await (const one of this.read(get, singles)) grouping.add(one)
    return { type: this.typeAfter(get, [...singles, operation]), series: grouping.result() }
  }

  private async *read(get: Get, singles: readonly Single[]): AsyncGenerator<Series> {
    const plan = this.gets.get(get)
    if (!plan || plan.request.any.length === 0) return
    const { signal } = this.options
    const steps = singles.map((operation) => this.step(operation))
    const request = {
      ...plan.request,
      maxPoints: Math.max(0, this.budget.pointsLeft),
      check: (samples?: number) => this.budget.step(samples),
      ...(signal && { signal }),
    }
    for await (const stored of this.source.read(request)) {
      await this.budget.take(stored.timestamps.length)
      let series = loaded(stored, plan)
      for (const step of steps) series = series && step(series)
      if (series) yield series
    }
  }

  private typeAfter(get: Get, operations: readonly Operation[]): TableType {
    const schema = this.schemas.get(get.name)
    if (!schema) throw new Error(`No schema of ${get.name} after the check`)
    const [type] = operations.reduce<TableType[]>(
      (types, operation) => typesAfter(operation, types),
      [loadedType(schema)],
    )
    if (!type) throw new Error(`No type of ${get.name} after the check`)
    return type
  }

  /** Compiled once for all timeseries. */
  private step(operation: Single): (series: Series) => Series | undefined {
    switch (operation.kind) {
      case 'filter': {
        const condition = filterCondition(operation, this.options.now)
        return (series) => filtered(condition, series)
      }
      case 'align': {
        const grid = { end: this.end, period: operation.period }
        return (series) => {
          this.budget.make(outputCount(series.timestamps[0] ?? Infinity, grid))
          return meanWithin(series, grid)
        }
      }
      case 'limit':
        return (series) => limited(series, operation.limit)
    }
  }

  private apply(operation: Operation, tables: readonly Table[]): Table[] {
    const types = typesAfter(
      operation,
      tables.map(({ type }) => type),
    )
    const [type] = types
    if (!isSingle(operation)) return type ? [{ type, series: merged(operation, tables) }] : []
    const step = this.step(operation)
    return types.map((type, index) => ({
      type,
      series: (tables[index]?.series ?? []).flatMap((series) => step(series) ?? []),
    }))
  }
}

function merged(operation: Exclude<Operation, Single>, tables: readonly Table[]): Series[] {
  if (operation.kind === 'join') return joinedSeries(tables)
  const grouping = new Grouping(operation)
  for (const { series } of tables) for (const one of series) grouping.add(one)
  return grouping.result()
}

/** The samples that the query asks for; a source may have returned more. */
function loaded(stored: StoredTimeseries, { load, limit }: GetPlan): Series | undefined {
  if (stored.timestamps.length === 0) return undefined
  const fields = sortedFields(stored.fields)
  const series: Series = {
    key: keyOf(fields),
    fields,
    startTimes: stored.start_times,
    epochs: stored.start_times,
    timestamps: stored.timestamps,
    values: [stored.values],
  }
  const wanted = filtered(load, series)
  return wanted && deltas(limit ? limited(wanted, limit) : wanted)
}

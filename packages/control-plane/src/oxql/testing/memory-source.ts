import type {
  ReadRequest,
  StoredTimeseries,
  TimeRange,
  TimeseriesSchema,
  TimeseriesSource,
} from '../model.ts'
import { rangeFor } from '../select.ts'

export interface StoredTable {
  schema: TimeseriesSchema
  timeseries: readonly StoredTimeseries[]
}

/** A source that selects exactly what a request names, and remembers the requests. */
export class MemorySource implements TimeseriesSource {
  readonly requests: ReadRequest[] = []
  samplesRead = 0

  constructor(private readonly tables: readonly StoredTable[]) {}

  schema(name: string): Promise<TimeseriesSchema | undefined> {
    return Promise.resolve(this.table(name)?.schema)
  }

  async *read(request: ReadRequest): AsyncGenerator<StoredTimeseries> {
    this.requests.push(request)
    for (const stored of this.table(request.name)?.timeseries ?? []) {
      const range = rangeFor(request, stored.fields)
      if (!range) continue
      let positions = [...stored.timestamps.keys()].filter((at) => isWithin(stored.timestamps[at], range))
      const { limit } = request
      if (limit)
        positions = limit.kind === 'first' ? positions.slice(0, limit.count) : positions.slice(-limit.count)
      if (positions.length === 0) continue
      this.samplesRead += positions.length
      const chosen = new Set(positions)
      const at = <Point>(points: readonly Point[]): Point[] =>
        points.filter((_, position) => chosen.has(position))
      yield {
        fields: stored.fields,
        start_times: stored.start_times && at(stored.start_times),
        timestamps: at(stored.timestamps),
        values: at(stored.values),
      }
    }
  }

  private table(name: string): StoredTable | undefined {
    return this.tables.find(({ schema }) => schema.timeseries_name === name)
  }
}

const isWithin = (time: number | undefined, { from, to }: TimeRange): boolean =>
  time !== undefined && time >= from && time < to

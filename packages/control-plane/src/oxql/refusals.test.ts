import { describe, expect, it } from 'vitest'
import type { DatumType, StoredTimeseries, TimeseriesSource } from './model.ts'
import { ask, limits as defaults, onlyPoints } from './testing/ask.ts'
import { MemorySource } from './testing/memory-source.ts'
import { counter, fieldsOf, gauge, schemaOf, table } from './testing/tables.ts'

const fields = { address: 'ip_addr', link: 'string', on: 'bool', owner: 'uuid', port: 'u16' } as const
const schema = (metric: string, type: DatumType) => schemaOf(`net:${metric}`, type, fields)
const values = {
  address: '10.0.0.1',
  link: 'net0',
  on: true,
  owner: '00000000-0000-4000-8000-000000000001',
  port: 1,
}

function source(): MemorySource {
  const line = (metric: string, type: DatumType, datum: StoredTimeseries['values'][number]) =>
    table(schema(metric, type), [
      gauge(fieldsOf(schema(metric, type), values), [
        [10, datum],
        [20, datum],
      ]),
    ])
  const other = schemaOf('net:other', 'i64', { link: 'string' })
  const sent = schema('sent', 'cumulative_u64')
  const overlap = schema('overlap', 'cumulative_u64')
  return new MemorySource([
    line('load', 'f64', 0.5),
    line('level', 'i64', 5),
    line('text', 'string', 'up'),
    line('flag', 'bool', true),
    line('raw', 'bytes', 'x'),
    table(other, [gauge(fieldsOf(other, { link: 'net0' }), [[10, 1]])]),
    table(sent, [
      counter(fieldsOf(sent, values), [
        [0, 10, 3],
        [0, 20, 8],
      ]),
    ]),
    table(schema('latency', 'histogram_u64'), []),
    table(schema('share', 'histogram_f64'), []),
    table(overlap, [
      counter(fieldsOf(overlap, values), [
        [0, 10, 3],
        [5, 20, 8],
      ]),
    ]),
  ])
}

const load = 'get net:load | filter port == 1'
const level = 'get net:level | filter port == 1'
const latency = 'get net:latency | filter port == 1'

describe('refusals of a query', () => {
  it.each([
    // Filters
    [
      `${load} | filter x == 1 && y == 2`,
      [
        'The filter expression "x == 1 && y == 2" is not valid, the following errors were encountered',
        '  > The filter expression refers to identifiers that are not valid for its input table "net:load". Invalid identifiers: ["x", "y"], valid identifiers: ["address", "link", "on", "owner", "port", "datum", "timestamp"]',
      ].join('\n'),
    ],
    [
      `${load} | filter port == 1.0 || nope == 1`,
      'Invalid identifiers: ["nope"], valid identifiers: ["address", "link", "on", "owner", "port", "datum", "timestamp"]\n  > Filter expression for identifier "port" has type "Double" which is not compatible with the expected type "Integer"',
    ],
    [
      `${load} | filter port == 5m`,
      'has type "Duration" which is not compatible with the expected type "Integer"',
    ],
    [
      `${load} | filter port == @now()`,
      'has type "Timestamp" which is not compatible with the expected type "Integer"',
    ],
    [
      `${load} | filter timestamp > 5`,
      'identifier "timestamp" has type "Integer" which is not compatible with the expected type "Timestamp"',
    ],
    [`${load} | filter start_time > @now()`, 'Invalid identifiers: ["start_time"]'],
    [
      `${load} | filter datum > 10`,
      'identifier "datum" has type "Integer" which is not compatible with the expected type "Double"',
    ],
    [
      `${level} | filter datum > 10.0`,
      'has type "Double" which is not compatible with the expected type "Integer"',
    ],
    [
      `${load} | filter link == "10.0.0.1"`,
      'has type "IpAddr" which is not compatible with the expected type "String"',
    ],
    [
      `${load} | filter address == '10.0.0.1'`,
      'has type "String" which is not compatible with the expected type "IpAddr"',
    ],
    [
      `${load} | filter on == 1`,
      'has type "Integer" which is not compatible with the expected type "Boolean"',
    ],
    [
      `${load} | filter port ~= 1`,
      'has type "Integer" which is not compatible with the expected type "String"',
    ],
    [
      `${load} | filter owner ~= 'a'`,
      'has type "String" which is not compatible with the expected type "Uuid"',
    ],
    [
      `${load} | filter timestamp ~= @now()`,
      'has type "Timestamp" which is not compatible with the expected type "String"',
    ],
    [`${load} | filter link ~= '('`, 'The regular expression "(" is not valid: a ( has no )'],
    [`${latency} | filter datum == 1`, 'Invalid identifiers: ["datum"]'],
    [`${latency} | filter p50 == 1`, '  > Filtering on the special identifier "p50" is not yet supported'],
    [`${latency} | filter bins == 1`, '  > Filtering on the special identifier "bins" is not yet supported'],
    [
      `${load} | align mean_within(1m) | filter port == 1 || datum > 1.0`,
      'Cannot split a filter with disjunctions around an alignment table operation',
    ],
    // Alignment
    [`${load} | align interpolate(1m)`, 'Alignment via interpolation is not yet implemented'],
    [
      'get net:text | filter port == 1 | align mean_within(1m)',
      "Tables with 'String' data types cannot be aligned",
    ],
    [
      'get net:flag | filter port == 1 | align mean_within(1m)',
      "Tables with 'Boolean' data types cannot be aligned",
    ],
    [`${latency} | align mean_within(1m)`, "Tables with 'IntegerDistribution' data types cannot be aligned"],
    [
      'get net:share | filter port == 1 | align mean_within(1m)',
      "Tables with 'DoubleDistribution' data types cannot be aligned",
    ],
    [
      `${load} | align mean_within(99ms)`,
      'A table alignment operation may not upsample data by more than a factor of 100',
    ],
    // Grouping
    [
      `{ ${load}; ${level} } | group_by [port]`,
      '`group_by` table operations require exactly one input table, but found 2',
    ],
    [
      `${load} | group_by [port]`,
      "Input table to a `group_by` table operation must be aligned, but table 'net:load' is not aligned",
    ],
    [
      `${load} | align mean_within(1m) | group_by [nope]`,
      `Cannot group by field 'nope', which does not appear in the input tables. Valid fields are: ["address", "link", "on", "owner", "port"]`,
    ],
    [
      `${load} | align mean_within(1m) | group_by [port] | group_by [link]`,
      `Cannot group by field 'link', which does not appear in the input tables. Valid fields are: ["port"]`,
    ],
    [
      'get net:text | filter port == 1 | group_by [port]',
      "`group_by` table operations require numeric data types, but table 'net:text' has data type 'String'",
    ],
    [
      `{ ${load} | align mean_within(1m); ${level} | align mean_within(1m) } | join | group_by [port]`,
      "`group_by` table operations require 1-dimensional tables, but table 'net:load,net:level' has 2 dimensions",
    ],
    // Joining
    [`${load} | align mean_within(1m) | join`, '`join` table operations require at least 2 tables'],
    [
      `{ ${load} | align mean_within(1m); ${level} } | join`,
      "All input tables to a `join` operation must be aligned, but table 'net:level' is not aligned",
    ],
    [
      `{ ${load} | align mean_within(1m); ${level} | align mean_within(30s) } | join`,
      'All input tables to a `join` operation must have the same alignment period, ',
    ],
    [
      `{ ${load} | align mean_within(1m); get net:other | filter link == 'net0' | align mean_within(1m) } | join`,
      'All input tables to a `join` operation must have the same field names and types, but ',
    ],
    [
      `{ { ${load} | align mean_within(1m); ${level} | align mean_within(1m) } | join; ${load} | align mean_within(1m) } | join`,
      'All input tables to a `join` operation must be 1-dimensional',
    ],
    [
      `{ ${load} && datum > 100.0 | align mean_within(1m); ${level} | align mean_within(1m) } | join`,
      'Join failed, input table 1 does not contain a timeseries with key ',
    ],
    // Data
    ['get net:raw | filter port == 1', "Timeseries 'net:raw' has 'Bytes' data, which cannot be queried"],
    ['get net:overlap | filter port == 1', 'Cannot compute a delta'],
    ['get net:nope | filter port == 1', 'Timeseries not found for: net:nope'],
    // Reading everything
    ['get net:load', 'This query requires at least one full table scan.'],
    ['get net:load | filter datum > 1.0', 'This query requires at least one full table scan.'],
    ['get net:load | filter port == 1 || datum > 1.0', 'This query requires at least one full table scan.'],
    [`{ get net:load; ${level} }`, 'This query requires at least one full table scan.'],
  ])('%s', async (text, message) => {
    await expect(ask(source(), text)).rejects.toThrow(message)
  })

  it('comes before anything is read, unless it is about the data', async () => {
    const asked = source()
    await expect(ask(asked, `{ ${load}; ${level} } | group_by [port]`)).rejects.toThrow('exactly one input')
    expect(asked.requests).toEqual([])
  })

  it('does not concern limits and filters that reach the samples', async () => {
    for (const text of [
      'get net:load | last 1',
      '{ get net:load; get net:level } | first 2',
      '{ get net:load } | filter on == true',
    ])
      expect(await ask(source(), text)).not.toEqual([])
  })

  it('does not concern tables without data', async () => {
    const empty = { name: 'net:load', timeseries: [] }
    const nothing = 'get net:load | filter port == 99 | align mean_within(1m)'
    expect(await ask(source(), `${nothing} | group_by [port]`)).toEqual([empty])
    expect(await ask(source(), `{ ${nothing}; ${nothing} } | join`)).toEqual([
      { name: 'net:load,net:load', timeseries: [] },
    ])
    expect(
      await ask(source(), `${load} && timestamp > @2030-01-01 | align mean_within(1m) | group_by []`),
    ).toEqual([empty])
  })

  it('reads nothing for a time that cannot be', async () => {
    const asked = source()
    expect(await ask(asked, `${load} && timestamp < @2020-01-01 && timestamp > @2021-01-01`)).toEqual([
      { name: 'net:load', timeseries: [] },
    ])
    expect(asked.requests).toEqual([])
  })
})

describe('limits', () => {
  const many = (count: number, samples: number): TimeseriesSource & { given: number } => ({
    given: 0,
    schema: () => Promise.resolve(schema('load', 'f64')),
    async *read(): AsyncGenerator<StoredTimeseries> {
      await Promise.resolve()
      for (let port = 0; port < count; port++) {
        this.given++
        yield gauge(
          fieldsOf(schema('load', 'f64'), { ...values, port }),
          Array.from({ length: samples }, (_, second): [number, number] => [second, 1]),
        )
      }
    },
  })
  const all = 'get net:load | filter on == true'

  it('stops reading after too many samples', async () => {
    const endless = many(Infinity, 1000)
    await expect(ask(endless, all)).rejects.toThrow(
      'Query requires fetching more than the current limit of 1000000 data points from the timeseries database',
    )
    expect(endless.given).toBe(1001)
  })

  it('counts the samples of all subqueries', async () => {
    const limits = { ...defaults, points: 15 }
    expect(await ask(many(1, 10), all, { limits })).toHaveLength(1)
    await expect(ask(many(1, 10), `{ ${all}; ${all} }`, { limits })).rejects.toThrow(
      'limit of 15 data points',
    )
  })

  it('stops reading after too many timeseries', async () => {
    const limits = { ...defaults, timeseries: 7 }
    const endless = many(Infinity, 1)
    await expect(ask(endless, all, { limits })).rejects.toThrow('more than the current limit of 7 timeseries')
    expect(endless.given).toBe(8)
  })

  it('refuses an alignment that makes many points from few', async () => {
    await expect(
      ask(many(1, 1), `${all} && timestamp < @2099-01-01 | align mean_within(1ms)`),
    ).rejects.toThrow('Query produces more than the current limit of 1000000 data points')
  })

  it('stops at its deadline', async () => {
    let time = 0
    const clock = () => (time += 100)
    const limits = { ...defaults, durationMs: 1000 }
    const endless = many(Infinity, 1)
    await expect(ask(endless, all, { clock, limits })).rejects.toThrow('current limit of 1 seconds')
    expect(endless.given).toBeLessThan(20)
  })

  it('stops when its caller has left', async () => {
    const left = new AbortController()
    const endless = many(Infinity, 10)
    const asked = ask(endless, all, { signal: left.signal })
    setTimeout(() => left.abort(new Error('gone')))
    await expect(asked).rejects.toThrow('gone')
    expect(endless.given).toBeLessThan(100_000)
  })
})

describe('times', () => {
  it('stay within years that have a text', async () => {
    const far = `${load} && timestamp < @now() + 4294967295Y | align mean_within(4294967295Y)`
    expect(await onlyPoints(source(), far)).toHaveLength(1)
  })

  it('keep microseconds', async () => {
    const fine = schema('load', 'f64')
    const asked = new MemorySource([
      table(fine, [
        gauge(fieldsOf(fine, values), [
          [0.000001, 1],
          [0.000002, 2],
          [0.000003, 3],
        ]),
      ]),
    ])
    const [only] = await ask(asked, `get net:load | filter timestamp == @2025-08-01T10:00:00.000002`)
    expect(only?.timeseries[0]?.points.timestamps).toEqual(['2025-08-01T10:00:00.000002Z'])
  })
})

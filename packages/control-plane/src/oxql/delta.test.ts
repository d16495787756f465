import { describe, expect, it } from 'vitest'
import type { Datum, DatumType, Distribution } from './model.ts'
import { ask, onlyPoints } from './testing/ask.ts'
import { MemorySource } from './testing/memory-source.ts'
import { counter, fieldsOf, schemaOf, table } from './testing/tables.ts'

function counted(type: DatumType, samples: [number, number, Datum][]): MemorySource {
  const schema = schemaOf('a:b', type, { port: 'u16' })
  return new MemorySource([table(schema, [counter(fieldsOf(schema, { port: 1 }), samples)])])
}
const all = 'get a:b | filter port == 1'

const distribution = (counts: number[], sum: number): Distribution => {
  return {
    bins: [0, 10],
    counts,
    min: 1,
    max: 12,
    sum_of_samples: sum,
    squared_mean: 4,
    p50: 2,
    p90: 9,
    p99: 11,
  }
}

describe('deltas', () => {
  it('take differences against the last sample that is not missing', async () => {
    const source = counted('cumulative_u64', [
      [0, 10, null],
      [0, 20, 5],
      [0, 30, null],
      [0, 40, 9],
      [45, 50, null],
      [45, 60, 3],
    ])
    expect(await onlyPoints(source, all)).toEqual([
      [0, 10, null],
      [10, 20, 5],
      [20, 30, null],
      [30, 40, 4],
      [45, 50, null],
      [50, 60, 3],
    ])
  })

  it('are exact beyond what a double counts', async () => {
    const source = counted('cumulative_u64', [
      [0, 10, 2n ** 63n + 1n],
      [0, 20, 2n ** 63n + 4n],
    ])
    expect(await onlyPoints(source, all)).toEqual([
      [0, 10, Number(2n ** 63n)],
      [10, 20, 3],
    ])
    expect(await onlyPoints(source, `${all} && datum == 9223372036854775809`)).toHaveLength(1)
  })

  it('of distributions lose extremes and quantiles', async () => {
    const first = distribution([2, 1], 15)
    const [only] = await ask(
      counted('histogram_u64', [
        [0, 10, first],
        [0, 20, distribution([4, 3], 42)],
      ]),
      all,
    )
    expect(only?.timeseries[0]?.points.values).toEqual([
      {
        metric_type: 'delta',
        values: {
          type: 'integer_distribution',
          values: [
            first,
            {
              bins: [0, 10],
              counts: [2, 2],
              sum_of_samples: 27,
              squared_mean: 1,
              min: null,
              max: null,
              p50: null,
              p90: null,
              p99: null,
            },
          ],
        },
      },
    ])
  })

  it.each<[string, DatumType, [number, number, Datum][]]>([
    [
      'an interval that begins before the last sample',
      'cumulative_u64',
      [
        [0, 10, 1],
        [5, 20, 2],
      ],
    ],
    ['a sample before counting began', 'cumulative_u64', [[20, 10, 1]]],
    [
      'a repeated time',
      'cumulative_u64',
      [
        [0, 10, 1],
        [0, 10, 2],
      ],
    ],
    [
      'bins that changed',
      'histogram_u64',
      [
        [0, 10, distribution([1, 1], 1)],
        [0, 20, { ...distribution([1, 1], 1), bins: [0, 11] }],
      ],
    ],
  ])('refuse %s', async (_, type, samples) => {
    await expect(onlyPoints(counted(type, samples), all)).rejects.toThrow(/^Cannot compute a delta/)
  })

  it('select by when counting began', async () => {
    const source = counted('cumulative_u64', [
      [0, 10, 1],
      [0, 20, 3],
      [25, 30, 2],
      [25, 40, 7],
    ])
    expect(await onlyPoints(source, `${all} && start_time >= @2025-08-01T10:00:20`)).toEqual([
      [25, 30, 2],
      [30, 40, 5],
    ])
    expect(await onlyPoints(source, `${all} && start_time < @2025-08-01T10:00:05`)).toEqual([
      [0, 10, 1],
      [10, 20, 2],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import type { StoredTimeseries } from './model.ts'
import { parseQuery } from './parse.ts'
import { evaluate } from './evaluate.ts'
import { ask, limits, onlyPoints, pointsOf } from './testing/ask.ts'
import { MemorySource } from './testing/memory-source.ts'
import { atSecond, counter, fieldsOf, gauge, id, schemaOf, table } from './testing/tables.ts'
import { withinProject } from './within-project.ts'

/** The examples of the reference, part B, section 21, by number. */
const scope = { project_id: 'uuid', silo_id: 'uuid' } as const
const ids = { project_id: id(1), silo_id: id(2) }

const sent = schemaOf('instance_network_interface:bytes_sent', 'cumulative_u64', {
  interface_id: 'uuid',
  instance_id: 'uuid',
  ...scope,
})
const nic = fieldsOf(sent, { interface_id: id(10), instance_id: id(11), ...ids })
const sentTable = (samples: [number, number, number][]) =>
  new MemorySource([table(sent, [counter(nic, samples)])])
const steady = (): MemorySource =>
  sentTable([
    [0, 10, 100],
    [0, 20, 160],
    [0, 30, 160],
    [0, 40, 400],
  ])
const ofNic = `get instance_network_interface:bytes_sent | filter interface_id == "${id(10)}"`

const usage = schemaOf('virtual_machine:vcpu_usage', 'cumulative_u64', {
  instance_id: 'uuid',
  sled_serial: 'string',
  state: 'string',
  vcpu_id: 'u32',
  ...scope,
})
/** Two vCPUs, sampled every 5 s at 2 s past, that run 60 % of the time and began 10^6 s before. */
function busy(): MemorySource {
  const series = [0, 1].flatMap((vcpu_id) =>
    (
      [
        ['run', 0.6],
        ['idle', 0.4],
      ] as const
    ).map(([state, share]): StoredTimeseries => {
      const fields = fieldsOf(usage, { instance_id: id(11), sled_serial: 'BRM1', state, vcpu_id, ...ids })
      const seconds = Array.from({ length: 1000 }, (_, index) => -300 + 2 + index * 5)
      return counter(
        fields,
        seconds.map((second) => [-1_000_000, second, Math.round((second + 1_000_000) * share * 1e9)]),
      )
    }),
  )
  return new MemorySource([table(usage, series)])
}

const disk = { attached_instance_id: 'uuid', block_size: 'u32', disk_id: 'uuid', ...scope } as const
const diskSchema = (metric: string) => schemaOf(`virtual_disk:${metric}`, 'cumulative_u64', disk)
const diskTable = (metric: string, totals: number[]) =>
  table(diskSchema(metric), [
    counter(
      fieldsOf(diskSchema(metric), {
        attached_instance_id: id(11),
        block_size: 512,
        disk_id: id(20),
        ...ids,
      }),
      totals.map((total, index) => [0, (index + 1) * 10, total]),
    ),
  ])

describe('worked examples', () => {
  it('1: a gauge over a day', async () => {
    const schema = schemaOf('collection_target:cpus_provisioned', 'i64', { id: 'uuid' })
    const source = new MemorySource([
      table(schema, [
        gauge(fieldsOf(schema, { id: id(2) }), [
          [-90_000, 2],
          [100, 4],
          [200, 6],
        ]),
        gauge(fieldsOf(schema, { id: id(3) }), [[100, 9]]),
      ]),
    ])
    const text = `get collection_target:cpus_provisioned | filter id == "${id(2)}" && timestamp >= @now() - 1d`
    expect(await ask(source, text)).toEqual([
      {
        name: 'collection_target:cpus_provisioned',
        timeseries: [
          {
            fields: { id: { type: 'uuid', value: id(2) } },
            points: {
              start_times: null,
              timestamps: ['2025-08-01T10:01:40.000Z', '2025-08-01T10:03:20.000Z'],
              values: [{ metric_type: 'gauge', values: { type: 'integer', values: [4, 6] } }],
            },
          },
        ],
      },
    ])
    const inProject = withinProject(parseQuery(text), { silo: id(2), project: id(1) })
    const options = { now: atSecond(0), limits, clock: () => 0 }
    await expect(evaluate(inProject, source, options)).rejects.toThrow(
      'Invalid identifiers: ["silo_id"], valid identifiers: ["id", "datum", "timestamp"]',
    )
  })

  it('2: cumulative to delta', async () => {
    expect(await onlyPoints(steady(), ofNic)).toEqual([
      [0, 10, 100],
      [10, 20, 60],
      [20, 30, 0],
      [30, 40, 240],
    ])
    const [only] = await ask(steady(), ofNic)
    expect(only?.timeseries[0]?.points.values[0]).toMatchObject({
      metric_type: 'delta',
      values: { type: 'integer' },
    })
    const [first] = await onlyPoints(steady(), `${ofNic} && timestamp > @2025-08-01T10:00:15`)
    expect(first).toEqual([0, 20, 160])
  })

  it('3: restart of the counter', async () => {
    const source = sentTable([
      [0, 10, 100],
      [0, 20, 160],
      [25, 30, 5],
      [25, 40, 9],
    ])
    expect(await onlyPoints(source, ofNic)).toEqual([
      [0, 10, 100],
      [10, 20, 60],
      [25, 30, 5],
      [30, 40, 4],
    ])
  })

  it.each([
    [
      '20s',
      [
        [20, 80],
        [40, 120],
      ],
    ],
    [
      '15s',
      [
        [10, 100],
        [25, 60],
        [40, 120],
      ],
    ],
    [
      '5s',
      [
        [10, 50],
        [15, 30],
        [20, 30],
        [25, 0],
        [30, 0],
        [35, 120],
        [40, 120],
      ],
    ],
  ])('4: mean_within on deltas, %s', async (period, expected) => {
    const text = `${ofNic} && timestamp <= @2025-08-01T10:00:40 | align mean_within(${period})`
    expect(await onlyPoints(steady(), text)).toEqual(expected)
    const [only] = await ask(steady(), text)
    expect(only?.timeseries[0]?.points).toMatchObject({
      start_times: null,
      values: [{ metric_type: 'gauge', values: { type: 'double' } }],
    })
  })

  it('5: end of query not on a sample', async () => {
    const text = `${ofNic} && timestamp < @2025-08-01T10:00:45 | align mean_within(20s)`
    expect(await onlyPoints(steady(), text)).toEqual([
      [25, 55],
      [45, 120],
    ])
  })

  it('6: mean_within on a gauge with a missing sample', async () => {
    const schema = schemaOf('hardware_component:temperature', 'f32', { sensor: 'string' })
    const source = new MemorySource([
      table(schema, [
        gauge(fieldsOf(schema, { sensor: 'cpu' }), [
          [5, 10],
          [15, null],
          [25, 30],
          [65, 4],
        ]),
      ]),
    ])
    const text = `get hardware_component:temperature | filter timestamp < @2025-08-01T10:01:10 | align mean_within(20s)`
    expect(await onlyPoints(source, text)).toEqual([
      [10, 10],
      [30, 15],
      [50, null],
      [70, 4],
    ])
  })

  it('7: CPU graph of one instance', async () => {
    const text = `get virtual_machine:vcpu_usage
  | filter instance_id == "${id(11)}" && timestamp >= @2025-08-01T09:58:00.000
      && timestamp < @2025-08-01T11:00:00.000 && state == "run"
  | align mean_within(60s)
  | group_by [instance_id], sum`
    const [only, ...more] = await ask(busy(), text)
    expect(more).toEqual([])
    expect(only?.timeseries.map(({ fields }) => fields)).toEqual([
      { instance_id: { type: 'uuid', value: id(11) } },
    ])
    const points = only?.timeseries[0] ? pointsOf(only.timeseries[0]) : []
    expect([points.length, points[0]?.[0], points.at(-1)?.[0]]).toEqual([62, -60, 3600])
    // Of two vCPUs, 60 % of each 5 s.
    for (const [, value] of points.slice(1, -1)) expect(Number(value) / (2 * 5e9)).toBeCloseTo(0.6, 9)
    // The sample that covers the last 3 s is after the end.
    expect(Number(points.at(-1)?.[1]) / (2 * 5e9)).toBeCloseTo((0.6 * 57) / 60, 9)
  })

  it('7: the first window holds only its share of the lifetime total', async () => {
    const fields = fieldsOf(usage, {
      instance_id: id(11),
      sled_serial: 'a',
      state: 'run',
      vcpu_id: 0,
      ...ids,
    })
    const source = new MemorySource([table(usage, [counter(fields, [[-1_000_000 - 118, -118, 5e12]])])])
    const text = `get virtual_machine:vcpu_usage | filter timestamp < @2025-08-01T09:59:00 | align mean_within(60s)`
    // 2 s of the window (-120, -60] belong to a total that gains 5 * 10^6 in a second.
    expect(await onlyPoints(source, text)).toEqual([[-60, 2 * 5e6]])
  })

  it('8: states side by side', async () => {
    const text = `get virtual_machine:vcpu_usage
  | filter instance_id == "${id(11)}" && timestamp > @now() - 1h
  | align mean_within(1m)
  | group_by [state], sum`
    const [only] = await ask(busy(), text, { now: atSecond(3600.5) })
    const points = new Map(only?.timeseries.map((one) => [one.fields['state']?.value, pointsOf(one)]))
    expect(new Set(points.keys())).toEqual(new Set(['idle', 'run']))
    const sums = points.get('run')?.map(([, run], at) => Number(run) + Number(points.get('idle')?.[at]?.[1]))
    expect(sums).toHaveLength(60)
    for (const sum of sums?.slice(1) ?? []) expect(sum / (2 * 5e9)).toBeCloseTo(1, 9)
    expect(points.get('run')?.at(-1)?.[0]).toBe(3600.5)
  })

  it('9: read and write together', async () => {
    const source = new MemorySource([
      diskTable('bytes_read', [10, 20, 40, 40, 100, 130]),
      diskTable('bytes_written', [1, 1, 1, 4, 4, 4]),
    ])
    const group = `{
  get virtual_disk:bytes_read | align mean_within(30s);
  get virtual_disk:bytes_written | align mean_within(30s)
}
  | filter disk_id == "${id(20)}" && timestamp > @now() - 10m`
    const now = { now: atSecond(60) }
    const [joined, ...more] = await ask(source, `${group}\n  | join`, now)
    expect([joined?.name, more]).toEqual(['virtual_disk:bytes_read,virtual_disk:bytes_written', []])
    const [only] = joined?.timeseries ?? []
    expect(only?.points.values.map(({ metric_type, values }) => [metric_type, values.type])).toEqual([
      ['gauge', 'double'],
      ['gauge', 'double'],
    ])
    expect(only && [pointsOf(only, 0), pointsOf(only, 1)]).toEqual([
      [
        [30, 40 / 3],
        [60, 30],
      ],
      [
        [30, 1 / 3],
        [60, 1],
      ],
    ])
    // The filter after the group reaches both reads.
    expect(source.requests.map(({ any }) => any[0]?.tests[0]?.field)).toEqual(['disk_id', 'disk_id'])
    expect((await ask(source, group, now)).map(({ name }) => name)).toEqual([
      'virtual_disk:bytes_read',
      'virtual_disk:bytes_written',
    ])
  })

  it('10: latest samples', async () => {
    const schema = schemaOf('hardware_component:temperature', 'f32', {
      component_kind: 'string',
      chassis_serial: 'string',
      sensor: 'string',
    })
    const of = (component_kind: string, sensor: string) =>
      gauge(fieldsOf(schema, { component_kind, chassis_serial: 'BRM00000001', sensor }), [
        [3400, 1],
        [3500, 2],
        [3590, 3],
      ])
    const source = new MemorySource([
      table(schema, [of('sbtsi', 'cpu'), of('sbtsi2', 'cpu'), of('not-sbtsi', 'cpu')]),
    ])
    const start = `get hardware_component:temperature
  | filter component_kind ~= "^sbtsi" && chassis_serial == "BRM00000001"`
    const [latest] = await ask(source, `${start} && timestamp > @now() - 5m | last 1`)
    expect(latest?.timeseries.map((one) => pointsOf(one))).toEqual([[[3590, 3]], [[3590, 3]]])
    expect(source.samplesRead).toBe(2)
    expect(source.requests[0]?.limit).toEqual({ kind: 'last', count: 1 })
    const [before] = await ask(source, `${start} && timestamp < @2025-08-01T10:59:00 | last 1`)
    expect(before?.timeseries.map((one) => pointsOf(one))).toEqual([[[3500, 2]], [[3500, 2]]])
    expect(source.requests[1]?.limit).toBeUndefined()
  })

  it('10: the last sample of a counter is its total', async () => {
    const source = new MemorySource([diskTable('reads', [10, 20, 40])])
    const text = `get virtual_disk:reads | filter disk_id == "${id(20)}" | last 1`
    expect(await onlyPoints(source, text)).toEqual([[0, 30, 40]])
  })

  it('11: precedence and types', async () => {
    const schema = schemaOf('sled_data_link:errors_received', 'cumulative_u64', {
      link_name: 'string',
      sled_serial: 'string',
    })
    const of = (link_name: string, sled_serial: string) =>
      counter(fieldsOf(schema, { link_name, sled_serial }), [
        [0, 10, 0],
        [0, 20, null],
        [0, 30, 7],
      ])
    const source = new MemorySource([
      table(schema, [
        of('net0', 'BRM00000001'),
        of('net0', 'BRM00000002'),
        of('net0', 'x'),
        of('net1', 'BRM00000001'),
      ]),
    ])
    const text = `get sled_data_link:errors_received
  | filter link_name == 'net0' && (sled_serial == 'BRM00000001' || sled_serial == 'BRM00000002')`
    const [only] = await ask(source, `${text}\n  | filter datum > 0`)
    expect(only?.timeseries.map((one) => [one.fields['sled_serial']?.value, pointsOf(one)])).toEqual([
      ['BRM00000001', [[20, 30, 7]]],
      ['BRM00000002', [[20, 30, 7]]],
    ])
    const aligned = `${text} | align mean_within(10s)`
    await expect(ask(source, `${aligned} | filter datum > 0`)).rejects.toThrow(
      'Filter expression for identifier "datum" has type "Integer" which is not compatible with the expected type "Double"',
    )
    expect(await ask(source, `${aligned} | filter datum > 0.0`)).toHaveLength(1)
  })

  it('12: mean across timeseries with different coverage', async () => {
    const schema = schemaOf('instance_network_interface:packets_received', 'u64', {
      interface_id: 'uuid',
      instance_id: 'uuid',
    })
    const of = (interface_id: string, samples: [number, number | null][]) =>
      gauge(fieldsOf(schema, { interface_id, instance_id: id(11) }), samples)
    const source = new MemorySource([
      table(schema, [
        of(id(1), [
          [30, 10],
          [90, null],
          [150, 30],
        ]),
        of(id(2), [
          [90, 50],
          [150, null],
        ]),
      ]),
    ])
    const text = `get instance_network_interface:packets_received
  | filter instance_id == "${id(11)}" && timestamp <= @2025-08-01T10:03:00
  | align mean_within(1m)`
    const [aligned] = await ask(source, text)
    expect(aligned?.timeseries.map((one) => pointsOf(one))).toEqual([
      [
        [60, 10],
        [120, null],
        [180, 30],
      ],
      [
        [120, 50],
        [180, null],
      ],
    ])
    for (const reducer of ['mean', 'sum'])
      expect(await onlyPoints(source, `${text} | group_by [instance_id], ${reducer}`)).toEqual([
        [60, 10],
        [120, 50],
        [180, 30],
      ])
  })

  it('13: several subqueries with their own filters', async () => {
    const schema = schemaOf('virtual_machine:check', 'cumulative_u64', {
      instance_id: 'uuid',
      state: 'string',
      ...scope,
    })
    const source = new MemorySource([
      table(
        schema,
        [11, 12, 13].map((number) =>
          counter(fieldsOf(schema, { instance_id: id(number), state: 'ok', ...ids }), [[0, 10, number]]),
        ),
      ),
    ])
    const query = parseQuery(`{
  get virtual_machine:check | filter instance_id == "${id(12)}";
  get virtual_machine:check | filter instance_id == "${id(11)}"
} | filter timestamp < @now()`)
    const options = { now: atSecond(3600), limits, clock: () => 0 }
    const inProject = withinProject(query, { silo: id(2), project: id(1) })
    const elsewhere = withinProject(query, { silo: id(2), project: id(9) })
    for (const allowed of [query, inProject]) {
      const tables = await evaluate(allowed, source, options)
      expect(tables.map(({ name }) => name)).toEqual(['virtual_machine:check', 'virtual_machine:check'])
      expect(tables.map(({ timeseries }) => timeseries.map((one) => pointsOf(one)))).toEqual([
        [[[0, 10, 12]]],
        [[[0, 10, 11]]],
      ])
    }
    const empty = { name: 'virtual_machine:check', timeseries: [] }
    expect(await evaluate(elsewhere, source, options)).toEqual([empty, empty])
  })

  const reads = 'get virtual_disk:reads'
  const ofDisk = `${reads} | filter disk_id == "${id(20)}"`
  it.each([
    [reads, 'This query requires at least one full table scan.'],
    [
      `${ofDisk} | group_by [disk_id]`,
      "Input table to a `group_by` table operation must be aligned, but table 'virtual_disk:reads' is not aligned",
    ],
    [`${reads} | filter timestamp > @2025-08-01T00:00:00Z`, /^Error at 1:65: .*2025-08-01T00:00:00Z \.\./],
    [`${reads} | filter disk_id == ${id(20)}`, /^Error at 1:44: [^]*Expected: a UUID in double quotes$/],
    [
      `${reads} | filter disk_id == '${id(20)}'`,
      'Filter expression for identifier "disk_id" has type "String" which is not compatible with the expected type "Uuid"',
    ],
    [`${ofDisk} | align mean_within( 1m )`, /^Error at 1:\d+: [^]*Expected: a duration$/],
    [`${ofDisk} | align mean_within(1m) | group_by [disk_id], max`, /Expected: "mean", "sum"$/],
    [`${reads} | head 5`, /^Error at 1:26: [^]*Expected: "align", "filter"/],
    [
      `${ofDisk} | align mean_within(1s)`,
      'A table alignment operation may not upsample data by more than a factor of 100',
    ],
    ['get a:b, c:d', /^Error at 1:8: [^]*Expected: "\|"$/],
    ['get nope:nothing | filter x == 1', 'Timeseries not found for: nope:nothing'],
  ])('14: %s', async (text, message) => {
    const schema = diskSchema('reads')
    const source = new MemorySource([
      table(schema, [
        counter(
          fieldsOf(schema, { attached_instance_id: id(11), block_size: 512, disk_id: id(20), ...ids }),
          [
            [0, 120, 1],
            [0, 240, 5],
          ],
        ),
      ]),
    ])
    const asked = Promise.resolve().then(() => ask(source, text))
    await expect(asked).rejects.toThrow(message)
    await expect(asked).rejects.toMatchObject({ code: 'InvalidRequest', status: 400 })
  })
})

import { seeded } from '../../testing/seeded.ts'
import type { Datum, StoredTimeseries, TimeseriesSchema } from '../model.ts'
import type { StoredTable } from './memory-source.ts'
import { counter, fieldsOf, gauge, id, schemaOf, table } from './tables.ts'

const fields = { address: 'ip_addr', link: 'string', on: 'bool', owner: 'uuid', port: 'u16' } as const
const names = Object.keys(fields)
const schemas = {
  counter: schemaOf('net:sent', 'cumulative_u64', fields),
  received: schemaOf('net:received', 'cumulative_f64', fields),
  gauge: schemaOf('net:load', 'f64', fields),
  level: schemaOf('net:level', 'i64', fields),
}
type Kind = keyof typeof schemas
const kinds: readonly Kind[] = ['counter', 'received', 'gauge', 'level']

/** Data and queries about them, reproducible by seed. */
export class Generator {
  private readonly below: (count: number) => number

  constructor(seed: number) {
    this.below = seeded(seed)
    // The first numbers of neighbouring seeds resemble each other.
    for (let count = 0; count < 10; count++) this.below(2)
  }

  tables(): StoredTable[] {
    const members = Array.from({ length: 1 + this.below(5) }, () => this.fieldValues())
    const distinct = [...new Map(members.map((values) => [JSON.stringify(values), values])).values()]
    return kinds.map((kind) => {
      const schema = schemas[kind]
      const present = distinct.filter(() => this.below(6) > 0)
      return table(
        schema,
        present.map((values) => this.samples(schema, values)),
      )
    })
  }

  query(): string {
    if (this.below(4) > 0) {
      const kind = this.pick(kinds)
      return this.pipeline(kind, this.below(3) > 0, this.below(2) === 0)
    }
    const period = this.period()
    const count = 2 + this.below(2)
    const isAligned = this.below(4) > 0
    const members = Array.from({ length: count }, () => {
      const start = this.start(this.pick(kinds))
      const aligned = `${start} | align mean_within(${period})`
      if (!isAligned) return start
      return this.below(3) === 0 ? `${aligned} | ${this.limit()}` : aligned
    })
    const after = this.below(2) === 0 ? ` | ${this.filter(undefined, [])}` : ''
    const join = isAligned && this.below(3) > 0 ? ' | join' : ''
    const limit = this.below(4) === 0 ? ` | ${this.limit()}` : ''
    return `{ ${members.join(' ; ')} }${after}${join}${limit}`
  }

  private pipeline(kind: Kind, isAligned: boolean, isGrouped: boolean): string {
    const isCounter = kind === 'counter' || kind === 'received'
    const parts = [this.start(kind)]
    if (this.below(5) === 0) parts.push(this.limit())
    if (this.below(2) === 0) parts.push(this.filter(kind, isCounter ? ['start_time', 'datum'] : ['datum']))
    if (!isAligned) {
      if (this.below(3) === 0) parts.push(this.limit())
      return parts.join(' | ')
    }
    parts.push(`align mean_within(${this.period()})`)
    if (this.below(2) === 0) parts.push(this.filter('gauge', this.below(2) === 0 ? ['datum'] : []))
    if (this.below(5) === 0) parts.push(this.limit())
    if (isGrouped) {
      const kept = names.filter(() => this.below(3) === 0)
      parts.push(`group_by [${kept.join(', ')}]${this.pick(['', ', mean', ', sum'])}`)
      if (this.below(4) === 0) parts.push('filter datum != 0.5')
    }
    if (this.below(5) === 0) parts.push(this.limit())
    return parts.join(' | ')
  }

  private start(kind: Kind): string {
    const { timeseries_name } = schemas[kind]
    return `get ${timeseries_name} | filter ${this.pick([`port < 9`, `timestamp > @now() - 1h`, this.expression(2, kind, [])])}`
  }

  private filter(kind: Kind | undefined, columns: readonly string[]): string {
    return `filter ${this.expression(2, kind, columns)}`
  }

  private expression(depth: number, kind: Kind | undefined, columns: readonly string[]): string {
    const one = (): string => this.expression(depth - 1, kind, columns)
    if (depth === 0 || this.below(3) === 0) return this.comparison(kind, columns)
    return this.pick([
      () => `${one()} && ${one()}`,
      () => `(${one()} || ${one()})`,
      () => `(${one()} ^ ${one()})`,
      () => `!(${one()})`,
    ])()
  }

  private comparison(kind: Kind | undefined, columns: readonly string[]): string {
    const column = this.pick(['timestamp', ...names, ...columns, ...columns])
    const operator = this.pick(['==', '!=', '<', '<=', '>', '>='])
    switch (column) {
      case 'timestamp':
      case 'start_time':
        return `${column} ${operator} ${this.pick(['@now() - 2m', '@now() -70s', '@2025-08-01T10:00:50', '@now()'])}`
      case 'datum':
        return `datum ${operator} ${kind === 'counter' || kind === 'level' ? this.below(60) : `${this.below(60)}.5`}`
      case 'link':
        return this.below(2) === 0
          ? `link ~= '${this.pick(['^net', '[01]$', 'n.*1', '(a|b)*c'])}'`
          : `link ${operator} '${this.pick(['net0', 'net1', 'x'])}'`
      case 'owner':
        return `owner ${operator} "${id(this.below(3)).toUpperCase()}"`
      case 'address':
        return `address ${operator} "10.0.0.${this.below(3)}"`
      case 'on':
        return `on ${operator} ${this.pick(['true', 'false'])}`
      default:
        return `port ${operator} ${this.below(4)}`
    }
  }

  private readonly limit = (): string => `${this.pick(['first', 'last'])} ${1 + this.below(6)}`
  private readonly period = (): string => this.pick(['20s', '15s', '7s', '1m', '500ms', '1h'])

  private fieldValues() {
    return {
      address: `10.0.0.${this.below(3)}`,
      link: this.pick(['net0', 'net1', 'x', 'abc']),
      on: this.below(2) === 0,
      owner: id(this.below(3)),
      port: this.below(4),
    }
  }

  private samples(schema: TimeseriesSchema, values: Parameters<typeof fieldsOf>[1]): StoredTimeseries {
    const isWhole = !schema.datum_type.endsWith('f64')
    // Some samples are taken at the very times that filters name.
    const step = this.pick([1, 10])
    const seconds = Array.from({ length: this.below(25) }, () => this.below(200 / step) * step)
    seconds.sort((a, b) => a - b)
    const distinct = [...new Set(seconds)]
    const value = (): number => (isWhole ? this.below(60) : this.below(600) / 8)
    const isMissing = (): boolean => this.below(8) === 0
    if (!schema.datum_type.startsWith('cumulative'))
      return gauge(
        fieldsOf(schema, values),
        distinct.map((second) => [second, isMissing() ? null : value()]),
      )
    // Some counters are beyond what a double counts exactly.
    const base = isWhole && this.below(3) === 0 ? 2n ** 60n : 0n
    let [start, total] = [-this.below(1000), 0]
    let previous = start
    return counter(
      fieldsOf(schema, values),
      distinct.map((second): [number, number, Datum] => {
        if (this.below(6) === 0) [start, total] = [previous + this.below(second - previous + 1), 0]
        total += value()
        previous = second
        if (isMissing()) return [start, second, null]
        return [start, second, base === 0n ? total : base + BigInt(total)]
      }),
    )
  }

  private pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('Nothing to pick from')
    return item
  }
}

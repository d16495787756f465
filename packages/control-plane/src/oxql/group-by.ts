import type { Micros } from './model.ts'
import { keyOf, type Series } from './series.ts'
import type { GroupByOperation } from './syntax-tree.ts'

interface Cell {
  sum: number
  present: number
}

/** Merges aligned timeseries that agree on some fields, one by one as they arrive. */
export class Grouping {
  private readonly groups = new Map<string, { fields: Series['fields']; cells: Map<Micros, Cell> }>()

  constructor(private readonly operation: GroupByOperation) {}

  add({ fields, timestamps, values }: Series): void {
    const kept = Object.fromEntries(
      Object.entries(fields).filter(([name]) => this.operation.fields.includes(name)),
    )
    const key = keyOf(kept)
    let group = this.groups.get(key)
    if (!group) {
      group = { fields: kept, cells: new Map() }
      this.groups.set(key, group)
    }
    for (let index = 0; index < timestamps.length; index++) {
      const timestamp = timestamps[index] ?? NaN
      let cell = group.cells.get(timestamp)
      if (!cell) {
        cell = { sum: 0, present: 0 }
        group.cells.set(timestamp, cell)
      }
      const value = values[0]?.[index]
      if (typeof value !== 'number') continue
      cell.sum += value
      cell.present++
    }
  }

  result(): Series[] {
    return [...this.groups].map(([key, { fields, cells }]) => {
      const points = [...cells].sort(([left], [right]) => left - right)
      return {
        key,
        fields,
        startTimes: null,
        epochs: null,
        timestamps: points.map(([timestamp]) => timestamp),
        values: [points.map(([, cell]) => this.reduce(cell))],
      }
    })
  }

  private reduce({ sum, present }: Cell): number | null {
    if (present === 0) return null
    return this.operation.reducer === 'sum' ? sum : sum / present
  }
}

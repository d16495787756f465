// @chunk apart: for charts and exports, and nothing else.
import { toWire } from '@gantry/api/client/camel'
import { recordKeys } from '@gantry/api/client/records.gen'
import { csvLine, plainLine } from '../csv.ts'
import type { CopyFormat, RowWriter } from '../use-export.ts'

type Cells = readonly (string | number)[]

/** One line per row, in the words of the API; a table starts with a line of the fields' names. */
export function rowWriter(format: CopyFormat): RowWriter<object> {
  if (format === 'jsonl') {
    const pieces: string[] = []
    return {
      add: (items) => void pieces.push(...items.map((item) => `${JSON.stringify(wireOf(item))}\n`)),
      end: () => pieces,
    }
  }
  const { line, apart, end } = tables[format]
  const heads: string[] = []
  const known = new Set<string>()
  const lines: { text: string; cells: number }[] = []
  return {
    add(items) {
      for (const item of items) {
        const row = wireOf(item)
        for (const head of Object.keys(row)) {
          if (known.has(head)) continue
          known.add(head)
          heads.push(head)
        }
        lines.push({ text: line(heads.map((head) => cellOf(row[head]))), cells: heads.length })
      }
    },
    // A row written before the first one with a further field has no cell for it.
    end: () =>
      [{ text: line(heads), cells: heads.length }, ...lines].map(
        ({ text, cells }) => `${text}${apart.repeat(heads.length - cells)}${end}`,
      ),
  }
}

const tables: Record<'csv' | 'text', { line: (cells: Cells) => string; apart: string; end: string }> = {
  csv: { line: csvLine, apart: ',', end: '\r\n' },
  text: { line: plainLine, apart: '\t', end: '\n' },
}

const wireOf = (item: object) => toWire(item, recordKeys) as Record<string, unknown>

function cellOf(value: unknown): string | number {
  if (typeof value === 'number') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

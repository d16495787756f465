import { toWire } from '@gantry/api/client/camel'
import { recordKeys } from '@gantry/api/client/records.gen'
import { csvLine } from '#/kit/list/csv.ts'
import type { ExportFormat } from '#/kit/list/use-export.ts'
import type { ActivityEntry } from './queries.ts'
import { shownDifferences } from '#/kit/page/difference-words.ts'
import { byText, effectsOf, sentenceOf } from './words.ts'

const heads = [
  'time',
  'who',
  'what',
  'effects',
  'differences',
  'outcome',
  'reason',
  'took_ms',
  'project',
  'silo',
  'object_id',
  'operation',
  'request_id',
] as const

/** One line per entry; CSV starts with a line of column heads. */
export function exported(entries: readonly ActivityEntry[], format: ExportFormat): string {
  if (format === 'jsonl')
    return entries.map((entry) => `${JSON.stringify(toWire(entry, recordKeys))}\n`).join('')
  return [heads, ...entries.map(cells)].map((line) => `${csvLine(line)}\r\n`).join('')
}

function cells(entry: ActivityEntry): (string | number)[] {
  const { before, name, after } = sentenceOf(entry)
  return [
    entry.time.toISOString(),
    byText({ ...entry, reason: null }),
    `${before}${name}${after}`,
    effectsOf(entry).join(' '),
    entry.changes
      .flatMap(({ differences }) => shownDifferences(differences))
      .map(({ label, before: was, after: is }) => `${label}: ${was} → ${is}`)
      .join('; '),
    entry.outcome,
    entry.reason ?? '',
    entry.tookMs ?? '',
    entry.project?.name ?? '',
    entry.silo?.name ?? '',
    entry.changes[0]?.id ?? '',
    entry.operation,
    entry.requestId ?? '',
  ]
}

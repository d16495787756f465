// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { toWire } from '@gantry/api/client/camel'
import { recordKeys } from '@gantry/api/client/records.gen'
import Download from 'lucide-react/icons/download'
import type { ItemOf, ListName, ListQuery } from '#/data/queries.ts'
import { call } from '#/data/client.ts'
import type { InputOf } from '@gantry/api/client/client'
import { useQueryClient } from '@tanstack/react-query'
import { listId } from '#/data/list-preferences.ts'
import { Button } from '#/ui/Button.tsx'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import { loadCode } from '../../code/load-code.ts'
import { type ExportFormat, exportFormats, useExport } from '../use-export.ts'

const rowsAtOnce = 1000

/** Saves everything that matches the filter, page by page, in the words of the API. */
export function ListExport<Name extends ListName>({
  list,
  name,
  noun,
}: {
  list: ListQuery<Name>
  name: string
  noun: string
}) {
  const { isReading, run } = useExport<ItemOf<Name>>({
    name,
    noun,
    rest: { order: 'first', narrow: 'Narrow the filter to export the rest.' },
    read: async (pageToken, _format, signal) => {
      const [, input] = list.at(pageToken).queryKey as [string, { query: object }]
      const asked = { ...input, query: { ...input.query, limit: rowsAtOnce } } as unknown as InputOf<Name>
      const page = (await call(list.op, asked, { signal })).data as {
        items: ItemOf<Name>[]
        nextPage?: string | null
      }
      return {
        items: page.items,
        nextPage: page.items.length < rowsAtOnce ? undefined : (page.nextPage ?? undefined),
      }
    },
    write: async () => {
      const { csvLine } = await import('../csv.ts')
      return (items, format) => exportedRows(items, format, csvLine)
    },
  })
  const queryClient = useQueryClient()
  const entries = () => [
    ...(['csv', 'jsonl'] as const).map((format) => ({
      label: exportFormats[format].label,
      onSelect: () => run(format),
    })),
    'rule' as const,
    {
      label: 'Show as code',
      onSelect: () =>
        void loadWithRetry(loadCode).then(({ showList }) => showList(queryClient, listId(list.op))),
    },
  ]
  return (
    <MenuButton entries={entries} align="end" label="Export">
      {(trigger) => (
        <Button {...trigger} pending={isReading}>
          <Download aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
          Export
        </Button>
      )}
    </MenuButton>
  )
}

/** One line per row; CSV starts with a line of the fields' names. */
export function exportedRows(
  items: readonly object[],
  format: ExportFormat,
  csvLine: (cells: readonly (string | number)[]) => string,
): string {
  const rows = items.map((item) => toWire(item, recordKeys) as Record<string, unknown>)
  if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cell = (value: unknown): string | number =>
    typeof value === 'number'
      ? value
      : value === null || value === undefined
        ? ''
        : typeof value === 'string'
          ? value
          : JSON.stringify(value)
  return [heads, ...rows.map((row) => heads.map((head) => cell(row[head])))]
    .map((line) => `${csvLine(line)}\r\n`)
    .join('')
}

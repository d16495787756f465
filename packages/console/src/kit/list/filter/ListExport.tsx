// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
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
import { type CopyFormat, exportFormats, useExport } from '../use-export.ts'

const rowsAtOnce = 1000
const formats = ['csv', 'jsonl'] as const

/** Copies or saves everything that matches the filter, page by page, in the words of the API. */
export function ListExport<Name extends ListName>({
  list,
  name,
  noun,
}: {
  list: ListQuery<Name>
  name: string
  noun: string
}) {
  const { isReading, run, copy } = useExport<ItemOf<Name>, CopyFormat>({
    name,
    noun,
    most: Number.POSITIVE_INFINITY,
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
    write: async (format) => (await loadWithRetry(() => import('./exported-rows.ts'))).rowWriter(format),
  })
  const queryClient = useQueryClient()
  const entries = () => [
    { label: 'Copy as text', onSelect: () => copy('text') },
    ...formats.map((format) => ({
      label: `Copy as ${exportFormats[format].label}`,
      onSelect: () => copy(format),
    })),
    'rule' as const,
    ...formats.map((format) => ({
      label: `Save as ${exportFormats[format].label}`,
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

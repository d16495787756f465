import * as op from '@gantry/api/client/operations.gen'
import { demandableKinds } from '@gantry/api/tags/tag-demand.rules'
import { mostCounted } from '@gantry/api/tags/tag-counts.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { opQuery } from '#/data/queries.ts'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { kindWord } from '#/kit/page/stored-values.ts'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { formatSeries } from '#/ui/data/format-amounts.ts'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { type TagDemand, tagDemand } from './demand.ts'
import { TagLabel } from './TagLabel.tsx'

const TagDemandDialog = lazyPart(() => import('./TagDemandDialog.tsx'), 'TagDemandDialog')

/** The keys of the silo's tags. */
export const siloTagKeys = opQuery(op.tagKeyList, { query: {} })

interface Row {
  text: string
  /** Up to a thousand. */
  count: number
  isDemanded: boolean
}

/** Which keys the tags of the silo have, and which of them new objects need. */
export function TagsPage() {
  const { data: keys } = useSuspenseQuery(siloTagKeys)
  const { data: demand } = useSuspenseQuery(tagDemand)
  const whyNot = useWhyNot({ action: 'modify', object: 'silo' })
  const [isOpen, setOpen] = useState(false)
  const rows = useMemo(() => rowsOf(keys.items, demand), [keys, demand])
  return (
    <ListPage
      title="Tags"
      docs={
        <DocsPopover topic="tags" page="tags">
          A tag is a key with a value, such as env=prod. It is set where its object is, found by filters of
          lists, and seen by everyone who sees the object.
        </DocsPopover>
      }
      actions={
        <Button disabledReason={whyNot} onClick={() => setOpen(true)}>
          Required tags…
        </Button>
      }
    >
      <p className="mb-3 text-sm text-muted">{demandText(demand)}</p>
      <Table
        label="Tags"
        columns={columns}
        rows={rows}
        rowKey={({ text }) => text}
        empty={
          <EmptyState title="No tags">
            Edit the tags of an object in its menu to see their keys here.
          </EmptyState>
        }
      />
      {keys.hasMore && (
        <p className="mt-3 text-sm text-muted">The first {formatNumber(keys.items.length)} keys are shown.</p>
      )}
      {isOpen && <TagDemandDialog demand={demand} onClose={() => setOpen(false)} />}
    </ListPage>
  )
}

function demandText({ keys, kinds, isForAllClients }: TagDemand): string {
  if (keys.length === 0 || kinds.length === 0) return 'New objects of this silo need no tags.'
  const words = demandableKinds.filter((kind) => kinds.includes(kind)).map((kind) => `${kindWord(kind)}s`)
  const whose = isForAllClients ? '' : ' Programs that know no tags create them without.'
  return `New ${formatSeries(words)} need ${formatSeries(keys)}.${whose}`
}

const rowsOf = (items: readonly Omit<Row, 'isDemanded'>[], { keys, kinds }: TagDemand): Row[] => {
  const demanded = kinds.length > 0 ? keys : []
  const unused = demanded.filter((key) => !items.some(({ text }) => text === key))
  return [...items, ...unused.map((text) => ({ text, count: 0 }))]
    .map((item) => ({ ...item, isDemanded: demanded.includes(item.text) }))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1))
}

const columns: Column<Row>[] = [
  {
    id: 'key',
    header: 'Key',
    part: 'name',
    cell: ({ text }) => <TagLabel tag={{ key: text, value: '' }} />,
  },
  {
    id: 'objects',
    header: 'Objects',
    part: 'meta',
    isLabelled: true,
    cell: ({ count }) => (count >= mostCounted ? `${formatNumber(count)} or more` : formatNumber(count)),
  },
  {
    id: 'required',
    header: 'Required',
    part: 'meta',
    isLabelled: true,
    cell: ({ isDemanded }) => (isDemanded ? 'Yes' : 'No'),
  },
]

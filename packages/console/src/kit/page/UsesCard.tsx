import type { ReactNode } from 'react'
import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useChanged, usePolling } from '#/data/live.ts'
import { hasNextPage, type ItemOf, type ListName, type ListQuery } from '#/data/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { pollSlowly } from './poll-while.ts'
import { SectionError } from './SectionError.tsx'

interface Props<Name extends ListName> {
  title: string
  list: ListQuery<Name>
  /** Define it outside the component. */
  columns: readonly Column<ItemOf<Name> & { id: string }>[]
  empty: { title: string; text: ReactNode }
  actions?: ReactNode
}

/** Objects of one kind that use the object of this page, a few at a time. */
export function UsesCard<Name extends ListName>({ title, list, columns, empty, actions }: Props<Name>) {
  type Row = ItemOf<Name> & { id: string }
  const changed = useChanged()
  const [trail, setTrail] = useState<readonly string[]>([])
  const page = list.at(trail.at(-1))
  const polling = usePolling(pollSlowly())
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...page,
    placeholderData: keepPreviousData,
    refetchInterval: polling,
  })
  const { items, nextPage } = (data ?? {}) as { items?: Row[]; nextPage?: string | null }
  const isFull = (items?.length ?? 0) >= list.limit
  const next = isPlaceholderData || !(hasNextPage(page.queryKey) ?? isFull) ? undefined : nextPage
  const problem = error && !data && <SectionError failure={error} onRetry={() => void refetch()} />
  return (
    <Card
      title={title}
      flush
      actions={actions}
      {...((trail.length > 0 || next) && {
        footer: (
          <nav aria-label={`Pages of ${title}`} className="flex items-center gap-2">
            <span className="grow tabular-nums" aria-live="polite">
              Page {trail.length + 1}
            </span>
            <Button disabled={trail.length === 0} onClick={() => setTrail(trail.slice(0, -1))}>
              Previous
            </Button>
            <Button disabled={!next} onClick={() => next && setTrail([...trail, next])}>
              Next
            </Button>
          </nav>
        ),
      })}
    >
      <Table<Row>
        inset
        label={title}
        columns={columns}
        rows={items}
        rowKey={({ id }) => id}
        changedKeys={changed}
        skeletonRows={2}
        {...(problem && { error: <div className="px-3.5 pb-3.5">{problem}</div> })}
        empty={<CardEmpty title={empty.title}>{empty.text}</CardEmpty>}
      />
    </Card>
  )
}

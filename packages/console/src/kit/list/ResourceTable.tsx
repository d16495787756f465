import { type ReactNode, useMemo } from 'react'
import { useListPreference } from '#/data/list-preferences.ts'
import { useChanged } from '#/data/live.ts'
import { Button } from '#/ui/Button.tsx'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'
import { Pagination } from '#/ui/data/Pagination.tsx'
import { Table } from '#/ui/data/Table.tsx'
import type { Column } from '#/ui/data/column.ts'
import { shownColumns } from './arrange-columns.ts'
import { Foot } from './foot.tsx'
import { type ActionsOf, rowMenu } from './row-menu.tsx'
import { useColumnChoices } from './use-column-choices.ts'
import { useActivityLink } from './use-activity-link.ts'
import { SectionError } from '../page/SectionError.tsx'
import type { ListPage } from './use-list-page.ts'

const ListKeys = lazyPart(
  afterPaint(() => import('./filter/ListKeys.tsx')),
  'ListKeys',
)

const ListView = lazyPart(
  afterPaint(() => import('./view/ListView.tsx')),
  'ListView',
)

interface Props<Item> {
  /** The accessible name, usually the title of the page. */
  label: string
  list: ListPage<Item>
  /** Define it outside the component: rows render again only when it or their own data changes. */
  columns: readonly Column<Item>[]
  actions?: ActionsOf<Item>
  /** `Copy ID` unless the screen names it otherwise. */
  copyLabel?: string
  /** Shown when the first page is empty. */
  empty: ReactNode
  /** Rows of 56 px, for two-line cells. */
  tall?: boolean
  /** Its rows are records of what happened, which have no history of their own. */
  isRecord?: true
  /** Fixes the column widths, because filtering must not move the columns. */
  steady?: boolean
}

/**
 * A list of the API as a table: row menus, pagination, empty, loading and error states, and highlighting of changed
 * rows.
 */
export function ResourceTable<Item extends { id: string }>(props: Props<Item>) {
  const { label, list, columns, actions, copyLabel = 'Copy ID', empty, tall, steady, isRecord } = props
  const changed = useChanged()
  const activityLink = useActivityLink()
  const { rows, failure, position } = list
  // A deleted parent removes its page; after other failures the rows stay on screen.
  if (failure?.statusCode === 404 && !rows) throw failure
  const problem = failure && <SectionError failure={failure} onRetry={list.refresh} />
  const { isDense } = useListPreference(list.id)
  const choices = useColumnChoices(list.id)
  const shown = useMemo(() => shownColumns(columns, choices), [columns, choices])
  const isFirst = position.number === 1
  const hasOtherPages = Boolean(list.onPrevious ?? list.onNext)
  return (
    <>
      {rows && <ListKeys />}
      {rows && problem}
      <Table
        label={label}
        {...(tall && { tall })}
        {...(steady && { steady })}
        dense={isDense}
        columns={shown}
        menuHead={rows && <ListView list={list.id} columns={columns} hasPages={list.limit !== undefined} />}
        rows={rows}
        rowKey={idOf}
        changedKeys={changed}
        {...(!rows && problem && { error: problem })}
        empty={isFirst ? empty : <EmptyPage onFirst={list.onPrevious} />}
        actions={(row) =>
          rowMenu(row.id, copyLabel, actions?.(row) ?? [], isRecord ? undefined : activityLink?.(row.id))
        }
      />
      {rows && hasOtherPages && (
        <Foot>
          <Pagination
            page={position.number}
            pageSize={list.limit ?? rows.length}
            loading={list.isTurning}
            onPrevious={list.onPrevious}
            onNext={list.onNext}
          />
        </Foot>
      )}
    </>
  )
}

const idOf = ({ id }: { id: string }): string => id

/** A later page whose rows were all deleted. */
function EmptyPage({ onFirst }: { onFirst: (() => void) | undefined }) {
  return (
    <div className="grid justify-items-start gap-3 rounded-block border border-dashed border-control-line p-6">
      <p>This page is now empty.</p>
      {onFirst && <Button onClick={onFirst}>Previous page</Button>}
    </div>
  )
}

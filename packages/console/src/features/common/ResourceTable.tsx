import type { ReactNode } from 'react'
import { useChanged } from '../../data/live.ts'
import { Button } from '../../ui/Button.tsx'
import type { MenuAction } from '../../ui/Menu.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Foot } from './foot.tsx'
import { rowMenu } from './row-menu.tsx'
import { SectionError } from './SectionError.tsx'
import type { ListPage } from './use-list-page.ts'

/** An entry of a row's menu. `Delete` is red and comes last, behind a rule; `disabled` is the reason why not. */
export type RowAction = Omit<MenuAction, 'link' | 'href'> & {
  /** A path to go to, in place of `onSelect`. */
  to?: string
  /** What stands behind that path in the URL. */
  search?: Record<string, string>
  /** The path is a form that opens over this list. */
  over?: boolean
}

/** Entries of a row's menu, after `Copy ID`, in order of life; 'rule' separates. */
export type ActionsOf<Item> = (row: Item) => readonly (RowAction | 'rule')[]

interface Props<Item> {
  /** The accessible name, usually the title of the page. */
  label: string
  list: ListPage<Item>
  /** Defined outside the component: rows are drawn again only when it or their own data changes. */
  columns: readonly Column<Item>[]
  actions?: ActionsOf<Item>
  /** `Copy ID` unless the screen names it otherwise. */
  copyLabel?: string
  /** Shown when the first page is empty. */
  empty: ReactNode
  /** Rows of 56 px, for cells of two lines. */
  tall?: boolean
}

/** A list of the API as a table: row menus, pages, empty, loading and error states, rows washed on change. */
export function ResourceTable<Item extends { id: string }>(props: Props<Item>) {
  const { label, list, columns, actions, copyLabel = 'Copy ID', empty, tall } = props
  const changed = useChanged()
  const { rows, failure, place } = list
  // A thing that is gone takes its page with it; other failures leave what is on screen.
  if (failure?.statusCode === 404 && !rows) throw failure
  const problem = failure && <SectionError failure={failure} onRetry={list.refresh} />
  const isFirst = place.number === 1
  return (
    <>
      {rows && problem}
      <Table
        label={label}
        {...(tall && { tall })}
        columns={columns}
        rows={rows}
        rowKey={idOf}
        changedKeys={changed}
        {...(!rows && problem && { error: problem })}
        empty={isFirst ? empty : <EmptyPage onFirst={list.onPrevious} />}
        actions={(row) => rowMenu(row.id, copyLabel, actions?.(row) ?? [])}
      />
      {rows && !(isFirst && rows.length === 0) && (
        <Foot>
          <Pagination
            page={place.number}
            pageSize={list.limit}
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

/** Everything on this page has gone meanwhile. */
function EmptyPage({ onFirst }: { onFirst: (() => void) | undefined }) {
  return (
    <div className="grid justify-items-start gap-3 rounded-block border border-dashed border-control-line p-6">
      <p>This page is now empty.</p>
      {onFirst && <Button onClick={onFirst}>Previous page</Button>}
    </div>
  )
}

import { Copy, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useChanged } from '../../data/live.ts'
import { Button } from '../../ui/Button.tsx'
import type { MenuAction, MenuEntry, MenuLinkProps } from '../../ui/Menu.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Foot } from './foot.tsx'
import { PathLink } from './PathLink.tsx'
import type { ListPage } from './use-list-page.ts'

/** An entry of a row's menu. `Delete` is red and comes last, behind a rule; `disabled` is the reason why not. */
export type RowAction = Omit<MenuAction, 'link' | 'href'> & {
  /** A path to go to, in place of `onSelect`. */
  to?: string
  /** The path is a form that opens over this list. */
  over?: boolean
}

const SectionError = lazy(async () => ({ default: (await import('./SectionError.tsx')).SectionError }))

interface Props<Item> {
  /** The accessible name, usually the title of the page. */
  label: string
  list: ListPage<Item>
  /** Defined outside the component: rows are drawn again only when it or their own data changes. */
  columns: readonly Column<Item>[]
  /** Entries of the row's menu, after `Copy ID`, in order of life; 'rule' separates. */
  actions?: (row: Item) => readonly (RowAction | 'rule')[]
  /** `Copy ID` unless the screen names it otherwise. */
  copyLabel?: string
  /** Shown when the first page is empty. */
  empty: ReactNode
}

/** A list of the API as a table: row menus, pages, empty, loading and error states, rows washed on change. */
export function ResourceTable<Item extends { id: string }>(props: Props<Item>) {
  const { label, list, columns, actions, copyLabel = 'Copy ID', empty } = props
  const changed = useChanged()
  const { rows, failure, place } = list
  // A thing that is gone takes its page with it; other failures leave what is on screen.
  if (failure?.statusCode === 404 && !rows) throw failure
  const problem = failure && (
    <Suspense>
      <SectionError failure={failure} onRetry={list.refresh} />
    </Suspense>
  )
  const isFirst = place.number === 1
  return (
    <>
      {rows && problem}
      <Table
        label={label}
        columns={columns}
        rows={rows}
        rowKey={idOf}
        changedKeys={changed}
        {...(!rows && problem && { error: problem })}
        empty={isFirst ? empty : <EmptyPage onFirst={list.onPrevious} />}
        actions={(row) => [
          {
            label: copyLabel,
            icon: <Copy aria-hidden strokeWidth={1.75} />,
            onSelect: () => void copyId(row.id),
          },
          ...menuEntries(actions?.(row) ?? []),
        ]}
      />
      {rows && !(isFirst && rows.length === 0) && (
        <Foot>
          <Pagination
            page={place.number ?? 0}
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

const isDelete = (entry: RowAction | 'rule'): entry is RowAction =>
  entry !== 'rule' && entry.label.toLowerCase() === 'delete'

function menuEntries(actions: readonly (RowAction | 'rule')[]): MenuEntry[] {
  const others = actions.filter((entry) => !isDelete(entry))
  const deletes = actions.filter(isDelete)
  return [
    ...(others.length > 0 ? (['rule', ...others.map(menuEntry)] as const) : []),
    ...(deletes.length > 0 ? (['rule', ...deletes.map(menuEntry)] as const) : []),
  ]
}

function menuEntry(action: RowAction | 'rule'): MenuEntry {
  if (action === 'rule') return action
  const { to, over = false, ...entry } = action
  if (isDelete(action)) {
    return { icon: <Trash2 aria-hidden strokeWidth={1.75} />, ...entry, danger: true }
  }
  if (to === undefined) return entry
  return { ...entry, link: (props: MenuLinkProps) => <PathLink to={to} over={over} {...props} /> }
}

/** Only needed when someone copies, so it is not in the first load. */
async function copyId(id: string): Promise<void> {
  const { copyText } = await import('../../ui/CopyButton.tsx')
  await copyText(id)
}

/** Everything on this page has gone meanwhile. */
function EmptyPage({ onFirst }: { onFirst: (() => void) | undefined }) {
  return (
    <div className="grid justify-items-start gap-3 rounded-block border border-dashed border-control-line p-6">
      <p>Nothing is left on this page.</p>
      {onFirst && <Button onClick={onFirst}>Previous page</Button>}
    </div>
  )
}

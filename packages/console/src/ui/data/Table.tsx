import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Column, Shape } from './column.ts'
import type { MenuEntry } from '../overlays/Menu.tsx'
import { MenuListeners } from '../overlays/menu-listeners.ts'
import { Sheet } from '../overlays/Sheet.tsx'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { cellProps, TableRow } from './TableRow.tsx'

export type TableProps<T> = {
  /** The accessible name. */
  label: string
  /** Define it outside the component: rows render again only when it or their own data changes. */
  columns: readonly Column<T>[]
  /** `GroupHeads`, visible only with all columns, from 1050 px up. */
  groups?: ReactNode
  rows: readonly T[] | undefined
  rowKey: (row: T) => string
  actions?: (row: T) => readonly MenuEntry[]
  /** Rows changed by the server, which are highlighted for a moment. */
  changedKeys?: ReadonlySet<string>
  /** Shows skeleton rows; so does an undefined `rows`. */
  loading?: boolean
  skeletonRows?: number
  /** Replaces the table without rows. */
  empty?: ReactNode
  /** Replaces the table after a failed load. */
  error?: ReactNode
  /** Rows of 56 px, for two-line cells. */
  tall?: boolean
  /** Lower rows. */
  dense?: boolean
  /** In the head of the row menus. */
  menuHead?: ReactNode
  /** Less padding, for many columns. */
  tight?: boolean
  /** Without its own frame, inside a card. */
  inset?: boolean
  /** Fixed column widths, whatever the rows; for lists with filters. */
  steady?: boolean
}

export function Table<T>({ label, columns, rows, rowKey, actions, changedKeys, ...props }: TableProps<T>) {
  const actionsOf = useLatest(actions)
  const [menus] = useState(() => new Set<() => void>())
  useLayoutEffect(() => menus.forEach((redraw) => redraw()))
  const keys = useMemo(() => rows?.map(rowKey) ?? [], [rows, rowKey])

  if (props.error) return props.error
  const isLoading = props.loading || !rows
  if (!isLoading && rows.length === 0 && props.empty) return props.empty
  const shape = { columns, hasMenu: Boolean(actions) }
  return (
    <Sheet
      label={label}
      busy={isLoading}
      tall={props.tall}
      dense={props.dense}
      tight={props.tight}
      inset={props.inset}
      steady={props.steady}
    >
      <TableHead {...shape} groups={props.groups} menuHead={props.menuHead} />
      <tbody>
        {isLoading ? (
          <SkeletonRows {...shape} count={props.skeletonRows ?? 8} />
        ) : (
          <MenuListeners value={menus}>
            {rows.map((row, index) => {
              const key = keys[index] ?? ''
              return (
                <TableRow
                  key={key}
                  row={row}
                  columns={columns}
                  actions={actions && actionsOf}
                  isChanged={changedKeys?.has(key)}
                />
              )
            })}
          </MenuListeners>
        )}
      </tbody>
    </Sheet>
  )
}

/**
 * A stable function that calls the latest callback. Callers write actions inline, and a new function must not render
 * fifty rows again.
 */
function useLatest<A extends unknown[], R>(callback: ((...given: A) => R) | undefined) {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...given: A) => latest.current?.(...given), [])
}

// Uneven, like names.
const widths = ['w-28', 'w-36', 'w-24', 'w-32']

function SkeletonRows({ columns, hasMenu, count }: Shape<never> & { count: number }) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} aria-hidden>
      {columns.map((column, index) => (
        <td key={column.id} {...cellProps(column, index)}>
          <Skeleton className={`h-3 ${index === 0 ? widths[row % widths.length] : 'w-16'}`} />
        </td>
      ))}
      {hasMenu && (
        <td data-part="menu" data-stick="end">
          <Skeleton className="mr-2 h-1 w-4" />
        </td>
      )}
    </tr>
  ))
}

function TableHead<T>({
  columns,
  hasMenu,
  groups,
  menuHead,
}: Shape<T> & { groups?: ReactNode; menuHead?: ReactNode }) {
  return (
    <thead>
      {groups}
      <tr>
        {columns.map((column, index) => (
          <th
            key={column.id}
            scope="col"
            aria-sort={column.sorted}
            style={{ width: column.width }}
            {...cellProps(column, index)}
          >
            {column.header}
          </th>
        ))}
        {hasMenu && (
          <th scope="col" data-part="menu" data-stick="end">
            <span className="sr-only">Actions</span>
            {menuHead}
          </th>
        )}
      </tr>
    </thead>
  )
}

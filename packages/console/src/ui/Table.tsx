import { useCallback, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'

import type { Column } from './column.ts'
import type { MenuEntry } from './Menu.tsx'
import { MenuListeners } from './menu-listeners.ts'
import { Sheet } from './Sheet.tsx'
import { SkeletonRows } from './SkeletonRows.tsx'
import { TableHead } from './TableHead.tsx'
import { TableRow } from './TableRow.tsx'

export type TableProps<T> = {
  /** The accessible name. */
  label: string
  /** Defined outside the component, because rows render again only when it or their own data changes. */
  columns: readonly Column<T>[]
  /** `GroupHeads`, shown where every column is: from 1050 px up. */
  groups?: ReactNode
  rows: readonly T[] | undefined
  rowKey: (row: T) => string
  actions?: (row: T) => readonly MenuEntry[]
  /** Rows that changed by themselves and are washed for a moment. */
  changedKeys?: ReadonlySet<string>
  /** Shows bones in place of rows; also while `rows` is undefined. */
  loading?: boolean
  skeletonRows?: number
  /** Shown in place of the table when there is no row. */
  empty?: ReactNode
  /** Shown in place of the table when it could not be loaded. */
  error?: ReactNode
  /** Rows of 56 px, for cells of two lines. */
  tall?: boolean
  /** Less padding, for many columns. */
  tight?: boolean
  /** Without a frame of its own, inside a card. */
  inset?: boolean
  /** Columns are as wide as their heads say, whatever rows there are; for lists that one filters. */
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
      tight={props.tight}
      inset={props.inset}
      steady={props.steady}
    >
      <TableHead {...shape} groups={props.groups} />
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
 * The same function for ever, which calls the newest one. Callers write their actions inline, and a new function must
 * not render fifty rows again.
 */
function useLatest<A extends unknown[], R>(callback: ((...given: A) => R) | undefined) {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...given: A) => latest.current?.(...given), [])
}

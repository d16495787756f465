import { memo, type ReactNode, useId } from 'react'

import type { MenuEntry } from '../overlays/Menu.tsx'
import { RowMenu } from '../overlays/RowMenu.tsx'
import type { Column } from './column.ts'

type Props<T> = {
  row: T
  columns: readonly Column<T>[]
  actions?: (row: T) => readonly MenuEntry[] | undefined
  isChanged?: boolean
}

function Row<T>({ row, columns, actions, isChanged }: Props<T>) {
  const id = useId()
  const name = columns.find((column, index) => partOf(column, index) === 'name')
  return (
    <tr data-changed={isChanged || undefined}>
      {columns.map((column, index) => (
        <td
          key={column.id}
          id={actions && column === name ? id : undefined}
          {...cellProps(column, index)}
          data-label={column.isLabelled && typeof column.header === 'string' ? column.header : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
      {actions && (
        <td data-part="menu" data-stick="end">
          <RowMenu namedBy={name && id} entries={() => actions(row) ?? []} />
        </td>
      )}
    </tr>
  )
}

/** Renders only when its own data, its columns or its marks change. */
export const TableRow = memo(Row) as <T>(props: Props<T>) => ReactNode

const partOf = <T,>({ part }: Column<T>, index: number) => part ?? (index === 0 ? 'name' : 'figure')

export function cellProps<T>(column: Column<T>, index: number) {
  const { align, rank } = column
  const kind = partOf(column, index)
  return {
    'data-align': align,
    'data-part': kind,
    'data-rank': rank,
    'data-stick': kind === 'name' ? ('start' as const) : undefined,
  }
}

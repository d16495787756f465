import { memo, type ReactNode } from 'react'

import type { MenuEntry } from './Menu.tsx'
import { RowMenu } from './RowMenu.tsx'
import type { Column } from './column.ts'

type Props<T> = {
  row: T
  columns: readonly Column<T>[]
  actions?: (row: T) => readonly MenuEntry[] | undefined
  isChanged?: boolean
}

function Row<T>({ row, columns, actions, isChanged }: Props<T>) {
  return (
    <tr data-changed={isChanged || undefined}>
      {columns.map((column, index) => (
        <td
          key={column.id}
          {...cellProps(column, index)}
          data-label={column.isLabelled && typeof column.header === 'string' ? column.header : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
      {actions && (
        <td data-part="menu" data-stick="end">
          <RowMenu entries={() => actions(row) ?? []} />
        </td>
      )}
    </tr>
  )
}

/** Renders only when its own data, its columns or its marks change. */
export const TableRow = memo(Row) as <T>(props: Props<T>) => ReactNode

export function cellProps<T>({ align, part, rank }: Column<T>, index: number) {
  const kind = part ?? (index === 0 ? 'name' : 'figure')
  return {
    'data-align': align,
    'data-part': kind,
    'data-rank': rank,
    'data-stick': kind === 'name' ? ('start' as const) : undefined,
  }
}

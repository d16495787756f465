import { type CSSProperties, memo, type ReactElement, type ReactNode, useId } from 'react'
import type { MenuEntry } from '../overlays/Menu.tsx'
import { RowMenu } from '../overlays/RowMenu.tsx'
import type { Column } from './column.ts'
import { EmptyCell } from './Truncate.tsx'

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
      {columns.map((column, index) => {
        const content = column.cell(row)
        return (
          <td
            key={column.id}
            id={actions && column === name ? id : undefined}
            {...cellProps(column, index)}
            data-label={column.isLabelled && typeof column.header === 'string' ? column.header : undefined}
            // A card hides it: without a head, a dash says nothing.
            data-empty={isEmpty(content) || undefined}
          >
            {content}
          </td>
        )
      })}
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

const isEmpty = (content: ReactNode): boolean => (content as ReactElement | null)?.type === EmptyCell

const partOf = <T,>({ part }: Column<T>, index: number) => part ?? (index === 0 ? 'name' : 'figure')

export function cellProps<T>(column: Column<T>, index: number) {
  const { align, rank, ownWidth } = column
  const kind = partOf(column, index)
  return {
    'data-align': align,
    'data-part': kind,
    'data-rank': rank,
    'data-stick': kind === 'name' ? ('start' as const) : undefined,
    ...(ownWidth !== undefined && {
      'data-width': '',
      // parts.css applies it where a table has columns.
      style: { '--own-width': `${ownWidth}px` } as CSSProperties,
    }),
  }
}

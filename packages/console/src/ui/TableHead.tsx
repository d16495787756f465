import { Checkbox } from './Checkbox.tsx'
import { Skeleton } from './Skeleton.tsx'
import type { Column, Selection } from './Table.tsx'
import { cellProps } from './TableRow.tsx'

type Shape<T> = { columns: readonly Column<T>[]; hasMenu: boolean; hasSelection: boolean }

export function TableHead<T>({
  columns,
  hasMenu,
  keys,
  selection,
}: Shape<T> & { keys: readonly string[]; selection?: Selection<T> }) {
  const count = selection ? keys.filter((key) => selection.selected.has(key)).length : 0
  const isAll = count > 0 && count === keys.length
  return (
    <thead>
      <tr>
        {selection && (
          <th scope="col" data-part="select">
            <Checkbox
              aria-label="Select all rows"
              checked={isAll}
              indeterminate={count > 0 && !isAll}
              onChange={() => selection.onChange(new Set(isAll ? [] : keys))}
            />
          </th>
        )}
        {columns.map((column, index) => (
          <th key={column.id} scope="col" style={{ width: column.width }} {...cellProps(column, index)}>
            {column.header}
          </th>
        ))}
        {hasMenu && (
          <th scope="col" data-part="menu" data-stick="end">
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

// Uneven, as names are.
const widths = ['w-28', 'w-36', 'w-24', 'w-32']

export function SkeletonRows<T>({ columns, hasMenu, hasSelection, count }: Shape<T> & { count: number }) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} aria-hidden>
      {hasSelection && (
        <td data-part="select">
          <Skeleton className="size-4" />
        </td>
      )}
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

import { Skeleton } from './Skeleton.tsx'
import type { Column } from './Table.tsx'
import { cellProps } from './TableRow.tsx'

type Shape<T> = { columns: readonly Column<T>[]; hasMenu: boolean }

export function TableHead<T>({ columns, hasMenu }: Shape<T>) {
  return (
    <thead>
      <tr>
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

export function SkeletonRows<T>({ columns, hasMenu, count }: Shape<T> & { count: number }) {
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

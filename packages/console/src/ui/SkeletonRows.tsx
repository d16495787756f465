import { Skeleton } from './Skeleton.tsx'
import type { Shape } from './column.ts'
import { cellProps } from './TableRow.tsx'

// Uneven, like names.
const widths = ['w-28', 'w-36', 'w-24', 'w-32']

export function SkeletonRows({ columns, hasMenu, count }: Shape<never> & { count: number }) {
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

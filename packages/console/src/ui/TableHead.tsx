import type { ReactNode } from 'react'
import type { Shape } from './column.ts'
import { cellProps } from './TableRow.tsx'

export function TableHead<T>({ columns, hasMenu, groups }: Shape<T> & { groups?: ReactNode }) {
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
          </th>
        )}
      </tr>
    </thead>
  )
}

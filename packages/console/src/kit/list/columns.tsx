import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import type { LinkTarget } from '../links/link-target.ts'
import { PageLink } from '../links/PageLink.tsx'

/**
 * Columns shared by most tables. Each is a function, because it takes the table's row type. `over` opens the rows' pages
 * over this list.
 */
export const nameColumn = <Item extends { name: string }>(
  linkOf: (row: Item) => LinkTarget,
  { over = false } = {},
): Column<Item> => ({
  id: 'name',
  header: 'Name',
  part: 'name',
  cell: (row) => (
    <PageLink {...linkOf(row)} over={over} className="name">
      {row.name}
    </PageLink>
  ),
})

/** For kinds without a page of their own. */
export const plainNameColumn = <Item extends { name: string }>(): Column<Item> => ({
  id: 'name',
  header: 'Name',
  part: 'name',
  cell: ({ name }) => <span className="font-medium text-strong">{name}</span>,
})

export const sizeColumn = <Item extends { size: number }>(): Column<Item> => ({
  id: 'size',
  header: 'Size',
  align: 'right',
  cell: ({ size }) => <Size bytes={size} />,
})

export const descriptionColumn = <Item extends { description: string }>(): Column<Item> => ({
  id: 'description',
  header: 'Description',
  part: 'meta',
  cell: ({ description }) => (description ? <Truncate text={description} max={48} /> : <EmptyCell />),
})

export const createdColumn = <Item extends { timeCreated: Date }>(): Column<Item> => ({
  id: 'created',
  header: 'Created',
  part: 'meta',
  rank: 'low',
  cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
})

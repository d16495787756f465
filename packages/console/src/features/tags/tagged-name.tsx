import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import type { Column } from '#/ui/data/column.ts'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'

/** The tags of a row, which come after its name. */
export const RowTags = lazyPart(
  afterPaint(() => import('./RowTags.tsx')),
  'RowTags',
)

/** A column of names, with the tags of each object after its name. */
export const taggedName = <Item extends { id: string }>(
  kind: TaggedKind,
  column: Column<Item>,
): Column<Item> => ({
  ...column,
  cell: (row) => (
    <>
      {column.cell(row)} <RowTags kind={kind} id={row.id} />
    </>
  ),
})

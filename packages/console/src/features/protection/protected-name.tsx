import type { Column } from '#/ui/data/column.ts'
import { ProtectedTag } from './ProtectedTag.tsx'

/** A column of names, with the tag of those that are protected. Without a project, of what is the silo's. */
export const protectedName = <Item extends { id: string }>(
  column: Column<Item>,
  project?: string,
): Column<Item> => ({
  ...column,
  cell: (row) => (
    <>
      {column.cell(row)} <ProtectedTag project={project} id={row.id} />
    </>
  ),
})

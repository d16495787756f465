import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import { useEffect } from 'react'
import { createStore, useStore } from '#/store.ts'
import type { Column } from '#/ui/data/column.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const LoadedTags = lazyPart(() => import('./RowTags.tsx'), 'RowTags')

/** Names come first: what shows tags loads once the rows are on screen. */
const isShown = createStore(false)
const afterMs = 1000

interface Props {
  kind: TaggedKind
  id: string
  /** Where the list is, unless it is of a silo or of the fleet. */
  project?: string | undefined
}

/** The tags of a row, which come after its name. */
export function RowTags(props: Props) {
  const isReady = useStore(isShown)
  useEffect(() => {
    if (!isReady) setTimeout(() => isShown.set(true), afterMs)
  }, [isReady])
  return isReady && <LoadedTags {...props} />
}

/** A column of names, with the tags of each object after its name. */
export const taggedName = <Item extends { id: string }>(
  kind: TaggedKind,
  column: Column<Item>,
  /** Where the list is, unless it is of a silo or of the fleet. */
  project?: string,
): Column<Item> => ({
  ...column,
  cell: (row) => (
    <>
      {column.cell(row)} <RowTags kind={kind} id={row.id} project={project} />
    </>
  ),
})

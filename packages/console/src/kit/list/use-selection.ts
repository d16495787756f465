import { useLayoutEffect, useState } from 'react'
import { createSelection, type Selection } from './selection.ts'

/** The selection on a list's page. Deselects rows that leave the page. */
export function useSelection(rows: readonly { id: string }[] | undefined): Selection {
  const [selection] = useState(createSelection)
  useLayoutEffect(() => selection.show(rows?.map(({ id }) => id) ?? []), [selection, rows])
  return selection
}

import { useLayoutEffect, useState } from 'react'
import { createSelection, type Selection } from './selection.ts'

/** The selection of a list's page, which drops rows that the page no longer shows. */
export function useSelection(rows: readonly { id: string }[] | undefined): Selection {
  const [selection] = useState(createSelection)
  useLayoutEffect(() => selection.show(rows?.map(({ id }) => id) ?? []), [selection, rows])
  return selection
}

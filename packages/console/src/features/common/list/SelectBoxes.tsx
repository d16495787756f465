import { useSyncExternalStore } from 'react'
import { Checkbox } from '#/ui/Checkbox.tsx'
import type { Column } from '#/ui/column.ts'
import type { Selection } from './selection.ts'
import { useHasHeads } from './use-has-heads.ts'

/** The checkbox column, in place of the empty one that reserved its width. */
export const selectColumn = <Item extends { id: string; name: string }>(
  selection: Selection,
): Column<Item> => ({
  id: 'select',
  part: 'select',
  header: <SelectHead selection={selection} />,
  cell: ({ id, name }) => <SelectRow selection={selection} id={id} name={name} />,
})

/** On a phone, the selection bar has this checkbox. */
function SelectHead({ selection }: { selection: Selection }) {
  return useHasHeads() ? <SelectAll selection={selection} /> : 'Select'
}

/** A checkbox for all rows of the page. */
export function SelectAll({ selection }: { selection: Selection }) {
  const extent = useSyncExternalStore(selection.subscribe, selection.extent)
  return (
    <Checkbox
      aria-label="Select all on this page"
      checked={extent === 'all'}
      indeterminate={extent === 'some'}
      onChange={extent === 'all' ? selection.clear : selection.selectAll}
    />
  )
}

function SelectRow({ selection, id, name }: { selection: Selection; id: string; name: string }) {
  const isSelected = useSyncExternalStore(selection.subscribe, () => selection.has(id))
  return <Checkbox aria-label={`Select ${name}`} checked={isSelected} onChange={() => selection.toggle(id)} />
}

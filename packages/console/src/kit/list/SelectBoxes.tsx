import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import type { Column } from '#/ui/data/column.ts'
import { passFocusTo } from '#/ui/overlays/focus.ts'
import { formatNumber } from '#/ui/data/format.ts'
import type { Selection } from './selection.ts'
import { useHasHeads } from './SortHead.tsx'

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
function SelectAll({ selection }: { selection: Selection }) {
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

interface Props {
  /** The accessible name: `Selected instances`. */
  label: string
  selection: Selection
  /** How many match the filter on all pages, where they can be selected together. */
  matching?: number | undefined
  /** Buttons for bulk actions. */
  children: ReactNode
}

// The bar disappears when the selection empties.
const passToTable = passFocusTo(() => document.querySelector<HTMLElement>('main table [type=checkbox]'))

/** The number of selected rows, and the actions for all of them. */
export function SelectionBar({ label, selection, matching, children }: Props) {
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  const isEverything = useSyncExternalStore(selection.subscribe, selection.isEverything)
  const extent = useSyncExternalStore(selection.subscribe, selection.extent)
  return (
    <div ref={passToTable} role="toolbar" aria-label={label} className="flex flex-wrap items-center gap-2">
      <span className="flex items-center gap-2 font-medium text-strong">
        <SelectAll selection={selection} />
        <span role="status">
          {isEverything
            ? `All ${matching === undefined ? '' : `${formatNumber(matching)} `}that match are selected`
            : `${formatNumber(ids.length)} selected`}
        </span>
      </span>
      {isEverything ? (
        <Button kind="quiet" onClick={selection.selectAll}>
          Only the {formatNumber(ids.length)} on this page
        </Button>
      ) : (
        extent === 'all' &&
        matching !== undefined &&
        matching > ids.length && (
          <Button kind="quiet" onClick={selection.selectEverything}>
            Select all {formatNumber(matching)} that match
          </Button>
        )
      )}
      {children}
      <Button kind="quiet" onClick={selection.clear}>
        Clear selection
      </Button>
    </div>
  )
}

const namesShown = 5

/** The first names, and how many more there are. */
export function SelectedNames({ names }: { names: readonly string[] }) {
  const rest = names.length - namesShown
  return (
    <>
      <strong>{names.slice(0, namesShown).join(', ')}</strong>
      {rest > 0 && ` and ${formatNumber(rest)} more`}
    </>
  )
}

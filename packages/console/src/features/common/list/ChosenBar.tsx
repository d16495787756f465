import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { Button } from '#/ui/Button.tsx'
import { formatNumber } from '#/ui/format.ts'
import { SelectAll } from './SelectBoxes.tsx'
import type { Selection } from './selection.ts'

interface Props {
  /** The accessible name: `Selected instances`. */
  label: string
  selection: Selection
  /** Buttons for what can be done with them. */
  children: ReactNode
}

/** How many rows are chosen, and what can be done with all of them. */
export function ChosenBar({ label, selection, children }: Props) {
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  const bar = useRef<HTMLDivElement>(null)
  // The bar goes when nothing is chosen any more, and the focus goes to the first box of the table instead of with it.
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.contains(document.activeElement))
        document.querySelector<HTMLElement>('main table [type=checkbox]')?.focus()
    }
  }, [])
  return (
    <div ref={bar} role="toolbar" aria-label={label} className="flex flex-wrap items-center gap-2">
      <span className="flex items-center gap-2 font-medium text-strong">
        <SelectAll selection={selection} />
        <span role="status">{formatNumber(ids.length)} selected</span>
      </span>
      {children}
      <Button kind="quiet" onClick={selection.clear}>
        Clear selection
      </Button>
    </div>
  )
}

const namesShown = 5

/** The first of the names, and how many more there are. */
export function ChosenNames({ names }: { names: readonly string[] }) {
  const rest = names.length - namesShown
  return (
    <>
      <strong>{names.slice(0, namesShown).join(', ')}</strong>
      {rest > 0 && ` and ${formatNumber(rest)} more`}
    </>
  )
}

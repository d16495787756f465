import Ellipsis from 'lucide-react/icons/ellipsis'
import { useId } from 'react'

import { buttonClass } from '../Button.tsx'
import { classes } from '../classes.ts'
import type { MenuEntry } from './Menu.tsx'
import { MenuButton } from './MenuButton.tsx'

type Props = {
  entries: () => readonly MenuEntry[]
  label?: string
  /** The id of the element that names the row: `Actions for web-2`. */
  namedBy?: string
}

/** The three-dot menu at the end of a row, which says whose it is to those who do not see the row. */
export function RowMenu({ entries, namedBy, label = namedBy ? 'Actions for' : 'Row actions' }: Props) {
  const id = useId()
  return (
    <MenuButton entries={entries} align="end" label={namedBy ? 'Actions' : label}>
      {(trigger) => (
        <button
          {...trigger}
          id={id}
          aria-label={label}
          aria-labelledby={namedBy && `${id} ${namedBy}`}
          className="wash inline-grid size-7 place-items-center rounded-control text-muted hover:text-strong aria-expanded:text-strong coarse:size-11"
        >
          <Ellipsis aria-hidden className="size-4 max-md:rotate-90" />
        </button>
      )}
    </MenuButton>
  )
}

/** The same menu for a page or card: bordered, with a label given by the caller. */
export function MoreActions({ entries, label }: { entries: () => readonly MenuEntry[]; label: string }) {
  return (
    <MenuButton entries={entries} align="end" label={label}>
      {(trigger) => (
        <button {...trigger} aria-label={label} className={classes(buttonClass({ icon: true }))}>
          <Ellipsis aria-hidden className="size-4" />
        </button>
      )}
    </MenuButton>
  )
}

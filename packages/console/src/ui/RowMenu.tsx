import Ellipsis from 'lucide-react/icons/ellipsis'

import { buttonClass } from './Button.tsx'
import { classes } from './classes.ts'
import type { MenuEntry } from './Menu.tsx'
import { MenuButton } from './MenuButton.tsx'

type Props = {
  entries: () => readonly MenuEntry[]
  label?: string
}

/** The three-dot menu at the end of a row. */
export function RowMenu({ entries, label = 'Row actions' }: Props) {
  return (
    <MenuButton entries={entries} align="end" label={label}>
      {(trigger) => (
        <button
          {...trigger}
          aria-label={label}
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

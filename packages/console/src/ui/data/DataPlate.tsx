// @chunk plates: of pages of single objects, which lists do not need.
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useId, useState } from 'react'

import { classes } from '../classes.ts'
import { useMedia } from '../use-media.ts'

/** Below the breakpoint `sm`. */
const phone = '(width < 30rem)'

type Props = {
  narrow?: boolean
  /** The number that leaves no row with a single item. */
  columns?: 3 | 4
  /** The line that they fold to on a phone, so that the contents below them are in sight. */
  summary?: ReactNode
  children: ReactNode
}

/** Properties below a page title, four per row by default, two in a panel. */
export function DataPlate({ narrow, columns = 4, summary, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const folds = useMedia(phone) && summary !== undefined
  return (
    <>
      {folds && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className={classes(
            'flex min-h-11 w-full items-center gap-2 rounded-block border border-line px-3.5 py-1.5 text-left',
            isOpen && 'mb-2',
          )}
        >
          <span className="flex min-w-0 grow flex-wrap items-center gap-x-2 text-strong wrap-anywhere">
            {summary}
          </span>
          <span className="flex shrink-0 items-center gap-1 text-sm text-muted">
            All properties
            <ChevronDown aria-hidden className={classes('size-4', isOpen && 'rotate-180')} />
          </span>
        </button>
      )}
      <dl
        id={id}
        hidden={folds && !isOpen}
        className={classes(
          'grid grid-cols-1 overflow-hidden [&[hidden]]:hidden rounded-block border border-line sm:grid-cols-2',
          // The lines between cells are shadows of the cells, so that an incomplete last row stays clean.
          !narrow && (columns === 4 ? 'lg:grid-cols-4' : 'lg:grid-cols-3'),
        )}
      >
        {children}
      </dl>
    </>
  )
}

type ItemProps = { label: ReactNode; children: ReactNode; /** Takes a whole row. */ wide?: boolean }

export function DataItem({ label, children, wide }: ItemProps) {
  return (
    <div
      className={classes(
        'min-w-0 bg-page px-3.5 pt-2 pb-2.25 shadow-[0_0_0_1px_var(--line-faint)]',
        wide && 'col-span-full',
      )}
    >
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="flex min-h-6 min-w-0 flex-wrap items-center gap-1.5 text-strong wrap-anywhere">
        {children}
      </dd>
    </div>
  )
}

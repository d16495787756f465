import type { ReactNode } from 'react'

import { classes } from './classes.ts'

type Props = {
  narrow?: boolean
  /** The number that leaves no row with a single item. */
  columns?: 3 | 4
  children: ReactNode
}

/** Properties below a page title, four per row by default, two in a panel. */
export function DataPlate({ narrow, columns = 4, children }: Props) {
  return (
    <dl
      className={classes(
        'grid grid-cols-1 overflow-hidden rounded-block border border-line sm:grid-cols-2',
        // The lines between cells are shadows of the cells, so that an incomplete last row stays clean.
        !narrow && (columns === 4 ? 'lg:grid-cols-4' : 'lg:grid-cols-3'),
      )}
    >
      {children}
    </dl>
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

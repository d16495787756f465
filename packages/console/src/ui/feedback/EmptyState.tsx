import type { ReactNode } from 'react'

import { EmptyLoad } from '../drawings/GantryDrawing.tsx'

type Props = { title: ReactNode; children?: ReactNode; action?: ReactNode; drawing?: ReactNode }

/** The empty state: what the kind is for, and a link to create the first. */
export function EmptyState({ title, children, action, drawing }: Props) {
  return (
    <div className="grid grid-cols-1 justify-items-center gap-1 rounded-block border border-dashed border-control-line px-4 pt-14 pb-15 text-center">
      <div className="mb-3">{drawing ?? <EmptyLoad />}</div>
      <h2 className="text-md">{title}</h2>
      {children && <p className="max-w-104 text-muted">{children}</p>}
      {action && <div className="mt-3.5">{action}</div>}
    </div>
  )
}

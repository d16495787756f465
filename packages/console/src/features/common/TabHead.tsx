import type { ReactNode } from 'react'

/** The head of a tab: a sentence about its contents, and right-aligned buttons. */
export function TabHead({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="mb-3 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
      <p className="min-w-0 text-muted">{children}</p>
      {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
    </div>
  )
}

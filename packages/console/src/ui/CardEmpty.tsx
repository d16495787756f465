import type { ReactNode } from 'react'

/** The empty state of a table inside a card. */
export function CardEmpty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-t border-line px-4 py-8 text-center">
      <h3 className="text-base">{title}</h3>
      <p className="mx-auto max-w-104 text-sm text-muted">{children}</p>
    </div>
  )
}

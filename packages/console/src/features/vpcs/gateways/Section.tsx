import type { ReactNode } from 'react'

interface Props {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** A part of the panel of a gateway. */
export function Section({ title, action, children }: Props) {
  return (
    <section className="space-y-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h3 className="text-md">{title}</h3>
        {action}
      </div>
      {children}
    </section>
  )
}

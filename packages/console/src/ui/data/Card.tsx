import { type ReactNode, useId } from 'react'

type Props = {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  /** Without padding, for a table that fills the card. */
  flush?: boolean
  children: ReactNode
}

export function Card({ title, description, actions, footer, flush, children }: Props) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="overflow-clip rounded-block border border-line bg-page">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-3">
        <div className="min-w-0 grow">
          <h2 id={titleId} className="text-md">
            {title}
          </h2>
          {description && <p className="text-sm text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {flush ? children : <div className="px-3.5 pb-3.5">{children}</div>}
      {footer && <div className="border-t border-faint-line px-3.5 py-2.5 text-sm text-muted">{footer}</div>}
    </section>
  )
}

/** The empty state of a table inside a card. */
export function CardEmpty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-t border-line px-4 py-8 text-center">
      <h3 className="text-base">{title}</h3>
      <p className="mx-auto max-w-104 text-sm text-muted">{children}</p>
    </div>
  )
}

import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  hint?: ReactNode
  children: ReactNode
}

/** A section of a long form: title at the left, fields in a column of their own. */
export function FormSection({ title, hint, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid max-w-184 gap-x-6 gap-y-3 border-t border-line py-5.5 first:border-0 first:pt-1 md:grid-cols-[10.5rem_minmax(0,34rem)]"
    >
      <header>
        <h2 id={id} className="text-md">
          {title}
        </h2>
        {hint && <p className="mt-0.5 text-sm text-muted">{hint}</p>}
      </header>
      <div className="min-w-0 space-y-5">{children}</div>
    </section>
  )
}

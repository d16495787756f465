import type { ReactNode } from 'react'
import type { PageContext } from './page.ts'

interface Props {
  to: string
  context: PageContext
  children: ReactNode
}

/** A link that navigates without a page load, except on a click that opens a tab. */
export function GoLink({ to, context, children }: Props) {
  return (
    <a
      href={to}
      className="link"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        context.go(to)
      }}
    >
      {children}
    </a>
  )
}

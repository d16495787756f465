import type { ReactNode } from 'react'
import type { Place } from './place.ts'

interface Props {
  to: string
  place: Place
  children: ReactNode
}

/** A link that navigates without a page load, except on a click that opens a tab. */
export function GoLink({ to, place, children }: Props) {
  return (
    <a
      href={to}
      className="link"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        place.go(to)
      }}
    >
      {children}
    </a>
  )
}

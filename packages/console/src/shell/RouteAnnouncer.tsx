import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/**
 * Tells screen readers that another page is there, and puts the focus on its heading. Silent on the first page,
 * which the browser announces, and for forms over a list and tabs, where the focus is already in the right place.
 */
export function RouteAnnouncer({ title }: { title: string }) {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const [spoken, setSpoken] = useState('')
  const last = useRef<string>(undefined)

  useEffect(() => {
    const before = last.current
    last.current = path
    if (before === undefined || before === path || document.querySelector('dialog:modal')) return
    setSpoken(title)
    // Where focus survived, as on a menu or a link of the rail, it stays; a page that took it with it loses it.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    // The title belongs to the path that has just been shown; later changes of it are not announced.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [path])

  return (
    <div role="status" aria-live="assertive" className="sr-only">
      {spoken}
    </div>
  )
}

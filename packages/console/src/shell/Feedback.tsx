import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useStartingToast } from '#/kit/feedback/use-starting-toast.ts'
import { LoadingBar } from '#/ui/feedback/LoadingBar.tsx'
import { Toasts } from '#/ui/overlays/Toasts.tsx'

/** The loading bar, the toasts, and the announcement of each page to screen readers. */
export function Feedback({ title }: { title: string }) {
  useStartingToast()
  const awaited = useRouterState({
    select: ({ isLoading, location, resolvedLocation }) => {
      if (!isLoading) return undefined
      return location.pathname === resolvedLocation?.pathname ? 'rows' : 'page'
    },
  })
  return (
    <>
      <LoadingBar awaited={awaited} />
      <Toasts />
      <RouteAnnouncer title={title} />
    </>
  )
}

/**
 * Announces page changes to screen readers and focuses the new heading. Silent on the first page, which the browser
 * announces, and for forms over a list and tabs, where the focus is already right.
 */
function RouteAnnouncer({ title }: { title: string }) {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const [spoken, setSpoken] = useState('')
  const last = useRef<string>(undefined)

  useEffect(() => {
    const before = last.current
    last.current = path
    if (before === undefined || before === path || document.querySelector('dialog:modal')) return
    setSpoken(title)
    // A focus that survived, for example on a link of the rail, stays. Only a focus lost with the old page moves.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    // The title belongs to the path just shown; later changes are not announced.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [path])

  return (
    <div role="status" aria-live="assertive" className="sr-only">
      {spoken}
    </div>
  )
}

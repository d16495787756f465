import { useRouterState } from '@tanstack/react-router'
import { useStartingToast } from '#/features/common/use-starting-toast.ts'
import { LoadingBar } from '#/ui/LoadingBar.tsx'
import { Toasts } from '#/ui/Toasts.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'

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

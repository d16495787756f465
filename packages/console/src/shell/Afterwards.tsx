import { useRouterState } from '@tanstack/react-router'
import { LoadingBar } from '../ui/LoadingBar.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'

/** What no first page needs, and every later moment does: fetched as soon as the first page is shown. */
export function Afterwards({ title }: { title: string }) {
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

import { useRouterState } from '@tanstack/react-router'
import { LoadingBar } from '../ui/LoadingBar.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'

/** What no first page needs, and every later moment does: fetched as soon as the first page is shown. */
export function Afterwards({ title }: { title: string }) {
  // Other rows of the page that is there, as while somebody types into a filter, are told of beside them.
  const isPageOnItsWay = useRouterState({
    select: ({ isLoading, location, resolvedLocation }) =>
      isLoading && location.pathname !== resolvedLocation?.pathname,
  })
  return (
    <>
      <LoadingBar active={isPageOnItsWay} />
      <Toasts />
      <RouteAnnouncer title={title} />
    </>
  )
}

import { useRouterState } from '@tanstack/react-router'
import { LoadingBar } from '../ui/LoadingBar.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'

/** What no first page needs, and every later moment does: fetched as soon as the first page is shown. */
export function Afterwards({ title }: { title: string }) {
  const isLoading = useRouterState({ select: ({ isLoading }) => isLoading })
  return (
    <>
      <LoadingBar active={isLoading} />
      <Toasts />
      <RouteAnnouncer title={title} />
    </>
  )
}

import { Outlet, useRouterState } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { LoadingBar } from '../ui/LoadingBar.tsx'
import { getToasts, subscribeToasts } from '../ui/toast.ts'
import { useCrumbs } from './Crumbs.tsx'
import { titleOf } from './crumbs.ts'
import { Toasts } from './later.tsx'
import { PreviewBanner } from './PreviewBanner.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'

export function Root() {
  const isLoading = useRouterState({ select: ({ isLoading }) => isLoading })
  const title = titleOf(useCrumbs())
  const hasToasts = useHasToasts()
  return (
    <>
      <title>{title}</title>
      <LoadingBar active={isLoading} />
      {import.meta.env.MODE === 'preview' && <PreviewBanner />}
      <Outlet />
      {hasToasts && <Toasts />}
      <RouteAnnouncer title={title} />
    </>
  )
}

/** From the first toast on: the stack stays, to say that the last one has gone. */
function useHasToasts(): boolean {
  const [hasAny, setHasAny] = useState(false)
  const count = useSyncExternalStore(subscribeToasts, getToasts).length
  if (count > 0 && !hasAny) setHasAny(true)
  return hasAny
}

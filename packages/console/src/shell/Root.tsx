import { Outlet } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useIdle } from '#/ui/use-idle.ts'
import { titleOf } from './crumbs.ts'
import { useEntries } from './Crumbs.tsx'
import { notFound } from './not-found.ts'
import { Feedback } from './parts.tsx'

export function Root() {
  const entries = useEntries()
  // The title of a missing page must not derive from its path.
  const title = titleOf(useSyncExternalStore(notFound.subscribe, notFound.isShown) ? [] : entries)
  const isIdle = useIdle()
  return (
    <>
      <title>{title}</title>
      <Outlet />
      {isIdle && <Feedback title={title} />}
    </>
  )
}

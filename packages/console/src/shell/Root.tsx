import { Outlet } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { titleOf } from './crumbs.ts'
import { useEntries } from './Crumbs.tsx'
import { notFound } from './not-found.ts'
import { useLateParts } from './use-late-parts.ts'

export function Root() {
  const entries = useEntries()
  // The title of a missing page must not derive from its path.
  const title = titleOf(useSyncExternalStore(notFound.subscribe, notFound.isShown) ? [] : entries)
  const late = useLateParts()
  return (
    <>
      <title>{title}</title>
      <Outlet />
      {late && <late.Feedback title={title} />}
    </>
  )
}

import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import type { Loading } from '#/data/loading.ts'
import { titleOf } from '#/shell/crumbs.ts'
import { useEntries } from '#/shell/Crumbs.tsx'
import { notFound } from '#/shell/not-found.ts'
import { NotFoundScreen } from '#/shell/parts.tsx'
import { useLateParts } from '#/shell/use-late-parts.ts'

export const Route = createRootRouteWithContext<Loading>()({
  component: Root,
  // Outside the signed-in console, so that an unknown path sends no request.
  notFoundComponent: NotFoundScreen,
})

function Root() {
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

import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import type { Loading } from '#/data/loading.ts'
import { titleOf } from '#/shell/crumbs.ts'
import { useEntries } from '#/shell/Crumbs.tsx'
import { useIsNotFound } from '#/shell/not-found.ts'
import { NotFoundScreen } from '#/shell/parts.tsx'
import { useIdleParts } from '#/shell/use-idle-parts.ts'

export const Route = createRootRouteWithContext<Loading>()({
  component: Root,
  // Outside the signed-in console, so that an unknown path sends no request.
  notFoundComponent: NotFoundScreen,
})

function Root() {
  const entries = useEntries()
  // The title of a missing page must not derive from its path.
  const title = titleOf(useIsNotFound() ? [] : entries)
  const idle = useIdleParts()
  return (
    <>
      <title>{title}</title>
      <Outlet />
      {idle && <idle.Feedback title={title} />}
    </>
  )
}

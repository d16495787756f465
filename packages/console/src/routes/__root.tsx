import { createRootRouteWithContext } from '@tanstack/react-router'
import type { Loading } from '#/data/loading.ts'
import { NotFoundScreen } from '#/shell/parts.tsx'
import { Root } from '#/shell/Root.tsx'

export const Route = createRootRouteWithContext<Loading>()({
  component: Root,
  // Outside the signed-in console, so that an unknown path sends no request.
  notFoundComponent: NotFoundScreen,
})

import { createRootRouteWithContext } from '@tanstack/react-router'
import { NotFoundScreen } from '../shell/later.tsx'
import { Root } from '../shell/Root.tsx'
import type { RouterContext } from '../shell/router.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  // Outside the signed-in console, so that an unknown path asks the server nothing.
  notFoundComponent: NotFoundScreen,
})

import { type ComponentProps, lazy, Suspense } from 'react'

/*
 * Parts that no page needs to be shown, kept out of the first load and fetched once it is there (`loadLater`),
 * so that an error screen does not depend on a server that has just failed.
 */
const loadErrors = () => import('./ErrorScreen.tsx')
const loadToasts = () => import('../ui/Toasts.tsx')
const loadDrawer = () => import('./Drawer.tsx')

export const loadLater = (): Promise<unknown> =>
  Promise.allSettled([loadErrors(), loadToasts(), loadDrawer()])

const LazyError = lazy(async () => ({ default: (await loadErrors()).ErrorScreen }))
const LazyNotFound = lazy(async () => ({ default: (await loadErrors()).NotFoundScreen }))
const LazyToasts = lazy(async () => ({ default: (await loadToasts()).Toasts }))
const LazyDrawer = lazy(async () => ({ default: (await loadDrawer()).Drawer }))

export const ErrorScreen = (props: ComponentProps<typeof LazyError>) => (
  <Suspense>
    <LazyError {...props} />
  </Suspense>
)

export const NotFoundScreen = () => (
  <Suspense>
    <LazyNotFound />
  </Suspense>
)

export const Toasts = () => (
  <Suspense>
    <LazyToasts />
  </Suspense>
)

export const Drawer = (props: ComponentProps<typeof LazyDrawer>) => (
  <Suspense>
    <LazyDrawer {...props} />
  </Suspense>
)

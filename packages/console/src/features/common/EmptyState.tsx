import { type ComponentProps, lazy, Suspense } from 'react'

const Lazy = lazy(async () => ({ default: (await import('../../ui/EmptyState.tsx')).EmptyState }))

/** For lists: the drawing is fetched only where there is really nothing, so that full lists load faster. */
export const EmptyState = (props: ComponentProps<typeof Lazy>) => (
  <Suspense>
    <Lazy {...props} />
  </Suspense>
)

import { type ComponentProps, lazy, Suspense } from 'react'
import { patiently } from '../../ui/late.ts'

const Lazy = lazy(async () => ({
  default: (await patiently(() => import('../../ui/EmptyState.tsx'))).EmptyState,
}))

/** For lists: the drawing is fetched only where there is really nothing, so that full lists load faster. */
export const EmptyState = (props: ComponentProps<typeof Lazy>) => (
  <Suspense>
    <Lazy {...props} />
  </Suspense>
)

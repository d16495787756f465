import { type ComponentProps, Suspense } from 'react'
import { lazily } from '../../ui/lazily.ts'

const Lazy = lazily(() => import('../../ui/EmptyState.tsx'), 'EmptyState')

/** For lists: the drawing is fetched only where there is really nothing, so that full lists load faster. */
export const EmptyState = (props: ComponentProps<typeof Lazy>) => (
  <Suspense>
    <Lazy {...props} />
  </Suspense>
)

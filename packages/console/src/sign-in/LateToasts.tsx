import { Suspense, useSyncExternalStore } from 'react'
import { lazily } from '../ui/lazily.ts'
import { getToasts, subscribeToasts } from '../ui/toast.ts'

const Toasts = lazily(() => import('../ui/Toasts.tsx'), 'Toasts')

/** Signing in leads back to some of these pages, which say then that it went well; most never have anything to say. */
export function LateToasts() {
  const hasToasts = useSyncExternalStore(subscribeToasts, () => getToasts().length > 0)
  return <Suspense>{hasToasts && <Toasts />}</Suspense>
}

import { useEffect, useSyncExternalStore } from 'react'
import { session } from '#/data/session.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const SignInDialog = lazyPart(() => import('./SignInDialog.tsx'), 'SignInDialog')
const prefetchMs = 3000

/** Asks the user to sign in again, over the page, once the session has expired. */
export function RenewSession() {
  const hasEnded = useSyncExternalStore(session.subscribe, session.hasEnded)
  useEffect(() => {
    const timer = setTimeout(() => void SignInDialog.prefetch(), prefetchMs)
    return () => clearTimeout(timer)
  }, [])
  return hasEnded && <SignInDialog />
}

import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ConfirmDialog } from '#/ui/ConfirmDialog.tsx'

export interface GuardWords {
  stay: string
  leave: string
}
export const sideWords: GuardWords = { stay: 'Keep editing', leave: 'Leave form' }
export const pageWords: GuardWords = { stay: 'Continue editing', leave: 'Leave this page' }

/**
 * Asks before what was typed is lost, however one leaves: every navigation (Cancel, X, Escape, a click outside,
 * a link, the palette, Back) goes through the router, and the browser asks when the tab closes.
 */
export function useUnsavedGuard(isDirty: boolean, words: GuardWords) {
  // Set in the same turn as the navigation after a success, so a state would come too late.
  const isReleased = useRef(false)
  const [leaving, setLeaving] = useState<(() => void) | undefined>()
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty && !isReleased.current,
    enableBeforeUnload: () => isDirty && !isReleased.current,
    disabled: !isDirty,
    withResolver: true,
  })
  const isAsking = blocker.status === 'blocked' || leaving !== undefined

  return {
    /** What was typed is saved or given up. */
    release: () => (isReleased.current = true),
    /** Leaves by other means than a navigation, for forms that have no path. */
    attempt: (leave: () => void) => (isDirty && !isReleased.current ? setLeaving(() => leave) : leave()),
    dialog: isAsking && (
      <ConfirmDialog
        title="Confirm navigation"
        width="narrow"
        kind="danger"
        cancelLabel={words.stay}
        confirmLabel={words.leave}
        onCancel={() => {
          setLeaving(undefined)
          blocker.reset?.()
        }}
        onConfirm={() => {
          leaving?.()
          setLeaving(undefined)
          blocker.proceed?.()
        }}
      >
        <p>Your input is not saved and will be lost.</p>
      </ConfirmDialog>
    ),
  }
}

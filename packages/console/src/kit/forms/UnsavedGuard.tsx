import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ConfirmDialog } from '#/ui/overlays/ConfirmDialog.tsx'

export interface GuardWords {
  stay: string
  leave: string
}
export const sideWords: GuardWords = { stay: 'Keep editing', leave: 'Leave form' }
export const pageWords: GuardWords = { stay: 'Continue editing', leave: 'Leave this page' }

/**
 * Confirms before input is lost, however the user leaves: every navigation (Cancel, X, Escape, a click outside, a
 * link, the palette, Back) goes through the router, and the browser asks when the tab closes.
 */
export function useUnsavedGuard(isDirty: boolean, words: GuardWords) {
  // Set in the same tick as the navigation after a success, when a state update would come too late.
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
    /** The input is saved or discarded. */
    release: () => (isReleased.current = true),
    /** Leaves without a navigation, for forms that have no path. */
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

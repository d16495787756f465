import type { ReactNode } from 'react'
import { passFocusTo, surroundings } from '#/ui/overlays/focus.ts'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { failureText } from '../feedback/failure-text.ts'

interface Props {
  failure: { message: string; nextStep: string }
  /** The state's plate. */
  children: ReactNode
}

// A state that changes may have no reason any more.
const moveFocus = passFocusTo((button) => button.closest('tr')?.querySelector('a') ?? surroundings(button))

/** A state, with the reason of its failure and the next step on hover, tap and focus. */
export function StateWithReason({ failure, children }: Props) {
  return (
    <Tooltip content={failureText({ message: failure.message, help: failure.nextStep })}>
      <button
        ref={moveFocus}
        type="button"
        className="relative rounded-tag after:absolute after:-inset-1 coarse:after:-inset-3"
      >
        {children}
      </button>
    </Tooltip>
  )
}

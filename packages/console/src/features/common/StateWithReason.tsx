import type { ReactNode } from 'react'
import { Tooltip } from '#/ui/Tooltip.tsx'
import { failureText } from './failure-text.ts'

interface Props {
  failure: { message: string; nextStep: string }
  /** The state's plate. */
  children: ReactNode
}

/** A state, with the reason of its failure and the next step on hover, tap and focus. */
export function StateWithReason({ failure, children }: Props) {
  return (
    <Tooltip content={failureText({ message: failure.message, help: failure.nextStep })}>
      <button
        type="button"
        className="relative rounded-tag after:absolute after:-inset-1 coarse:after:-inset-3"
      >
        {children}
      </button>
    </Tooltip>
  )
}

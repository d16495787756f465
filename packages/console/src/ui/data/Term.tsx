import type { ReactNode } from 'react'

import { Tooltip } from '../overlays/Tooltip.tsx'

/** A term with an explanation, marked by a dotted line. */
export function Term({ tip, children }: { tip: string; children: ReactNode }) {
  return (
    // Described by an attribute, so that the explanation is not part of a cell's or label's text.
    <Tooltip content={tip} describes={false}>
      <button
        type="button"
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- every role supports it (ARIA 1.3).
        aria-description={tip}
        className="relative rounded-tag underline decoration-dotted underline-offset-2 after:absolute after:-inset-1 coarse:after:-inset-3"
      >
        {children}
      </button>
    </Tooltip>
  )
}

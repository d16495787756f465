import type { ReactNode } from 'react'

import { Tooltip } from './Tooltip.tsx'

/** A word that wants explaining: the dotted line says that there is more to read. */
export function Term({ tip, children }: { tip: string; children: ReactNode }) {
  return (
    // Described by an attribute, so that the explanation is no part of the text of a cell or a label.
    <Tooltip content={tip} describes={false}>
      <button
        type="button"
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- it goes with every role (ARIA 1.3).
        aria-description={tip}
        className="relative rounded-tag underline decoration-dotted underline-offset-2 after:absolute after:-inset-1 coarse:after:-inset-3"
      >
        {children}
      </button>
    </Tooltip>
  )
}

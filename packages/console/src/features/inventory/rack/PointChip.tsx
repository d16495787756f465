import type { ReactNode } from 'react'
import { Tooltip } from '#/ui/Tooltip.tsx'
import type { Pointed } from './lit.ts'
import { usePointsAt } from './RackLights.tsx'

interface Props {
  pointed: Pointed
  /** The owner. */
  tip: string
  children: ReactNode
}

/** A name that highlights sleds. A button, so that the keyboard reaches it too. */
export function PointChip({ pointed, tip, children }: Props) {
  return (
    <Tooltip content={tip}>
      <button
        type="button"
        className="relative inline-flex h-6 max-w-full items-center rounded-tag border border-line bg-raised px-1.5 text-xs text-text coarse:after:absolute coarse:after:-inset-y-2.5 coarse:after:inset-x-0"
        {...usePointsAt(pointed)}
      >
        <span className="truncate">{children}</span>
      </button>
    </Tooltip>
  )
}

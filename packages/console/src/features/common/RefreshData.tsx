import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useState } from 'react'
import { useLiveState } from '#/data/live.ts'
import { buttonClass, Pressable } from '#/ui/Button.tsx'
import { formatTimeToSecond } from '#/ui/format.ts'
import { Arc, useMinimumTime } from '#/ui/Spinner.tsx'
import { Tooltip } from '#/ui/Tooltip.tsx'

interface Props {
  updatedAt: Date | undefined
  onRefresh: () => void
  /** Shown only when it was asked for here: what refreshes by itself turns no arc. */
  isRefreshing: boolean
}

/** A turn shorter than this reads as nothing having happened. */
const leastTurnMs = 300

/** When the page was last read, and a button to read it now. */
export function RefreshData({ updatedAt, onRefresh, isRefreshing }: Props) {
  const isLive = useLiveState() === 'live'
  // Undefined, or the last reading before the one that was asked for here.
  const [askedAfter, setAskedAfter] = useState<number>()
  const isTurning = useMinimumTime(isRefreshing && askedAfter === updatedAt?.getTime(), leastTurnMs)
  const hint = isLive
    ? 'Changes appear here automatically'
    : 'Refreshes automatically, more often after an action on an instance'
  return (
    <>
      {updatedAt && (
        <Tooltip content={hint} describes={false}>
          <span className="text-xs whitespace-nowrap text-muted tabular-nums max-md:hidden">
            Updated {formatTimeToSecond(updatedAt)}
          </span>
        </Tooltip>
      )}
      <Tooltip content="Refresh data" describes={false}>
        <Pressable
          aria-label="Refresh data"
          aria-busy={isTurning || undefined}
          className={buttonClass({ icon: true })}
          onClick={() => {
            setAskedAfter(updatedAt?.getTime())
            onRefresh()
          }}
        >
          {isTurning ? (
            <Arc className="size-4" />
          ) : (
            <RefreshCw aria-hidden strokeWidth={1.75} className="size-4" />
          )}
        </Pressable>
      </Tooltip>
    </>
  )
}

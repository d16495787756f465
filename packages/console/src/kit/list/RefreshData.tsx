import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useState } from 'react'
import { useLiveState } from '#/data/live.ts'
import { buttonClass, Pressable } from '#/ui/Button.tsx'
import { formatTimeToSecond } from '#/ui/data/format.ts'
import { Arc, useMinimumTime } from '#/ui/feedback/Spinner.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'

interface Props {
  updatedAt: Date | undefined
  onRefresh: () => void
  /** Shows only refreshes that started here: automatic ones do not spin the icon. */
  isRefreshing: boolean
}

/** A shorter spin would look as if nothing happened. */
const minSpinMs = 300

/** The time of the last read, and a refresh button. */
export function RefreshData({ updatedAt, onRefresh, isRefreshing }: Props) {
  const isLive = useLiveState() === 'live'
  // The `updatedAt` when the user asked to refresh; undefined otherwise.
  const [askedAfter, setAskedAfter] = useState<number>()
  const isTurning = useMinimumTime(isRefreshing && askedAfter === updatedAt?.getTime(), minSpinMs)
  const hint = isLive
    ? 'Changes appear here automatically'
    : 'Refreshes automatically, more often after an action on an instance'
  return (
    <>
      {updatedAt && (
        <Tooltip content={hint} describes={false}>
          <span className="min-w-32 text-right text-xs whitespace-nowrap text-muted tabular-nums max-md:hidden">
            {`Updated ${formatTimeToSecond(updatedAt)}`}
          </span>
        </Tooltip>
      )}
      <Pressable
        aria-label="Refresh data"
        tip="Refresh data"
        aria-busy={isTurning}
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
    </>
  )
}

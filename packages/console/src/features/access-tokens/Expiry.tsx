import { useSyncExternalStore } from 'react'
import { DateTime, onTick } from '#/ui/data/DateTime.tsx'
import { formatDistance } from '#/ui/data/format.ts'
import { StatePlate } from '#/ui/data/StatePlate.tsx'

/** An expiry time with its distance from now, or `expired`. */
export function Expiry({ value }: { value: Date }) {
  const left = useSyncExternalStore(onTick, () => {
    const ms = value.getTime() - Date.now()
    return ms > 0 ? `in ${formatDistance(ms)}` : ''
  })
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <DateTime value={value} />
      {left ? (
        <span className="text-sm text-muted tabular-nums">{left}</span>
      ) : (
        <StatePlate family="gone">Expired</StatePlate>
      )}
    </span>
  )
}

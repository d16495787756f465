import { useSyncExternalStore } from 'react'

import { formatDate, formatDateTime, formatDistance, formatTime, formatTimeToSecond } from './format.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'

const toDate = (value: Date | string) => (typeof value === 'string' ? new Date(value) : value)

type DateTimeProps = {
  value: Date | string
  /** For records, whose order within a minute matters. */
  toSecond?: boolean
}

/** Date and dimmed time, in the user's language and time zone. */
export function DateTime({ value, toSecond = false }: DateTimeProps) {
  const date = toDate(value)
  const time = toSecond ? formatTimeToSecond(date) : formatTime(date)
  return (
    <time dateTime={date.toISOString()} className="whitespace-nowrap">
      {formatDate(date)} <span className="text-sm text-muted">{time}</span>
    </time>
  )
}

type RelativeProps = {
  value: Date | string
  /** Heading of the tooltip, as in "In this state since". */
  caption?: string
  ago?: boolean
}

/** `3h`. Time updates only the text node, not the row or table around it. */
export function RelativeTime({ value, caption, ago }: RelativeProps) {
  const date = toDate(value)
  const text = useSyncExternalStore(onTick, () => formatDistance(Date.now() - date.getTime()))
  const full = (
    <>
      {caption && <span className="block opacity-75">{caption}</span>}
      {formatDateTime(date)}
    </>
  )
  return (
    <Tooltip content={full} describes={false}>
      <time dateTime={date.toISOString()} className="text-sm whitespace-nowrap text-muted tabular-nums">
        {ago ? `${text} ago` : text}
      </time>
    </Tooltip>
  )
}

const ticking = new Set<() => void>()
let clock: ReturnType<typeof setInterval> | undefined

/** One clock for all listeners, stopped when there are none. */
export function onTick(listener: () => void) {
  ticking.add(listener)
  clock ??= setInterval(() => ticking.forEach((tick) => tick()), 1000)
  return () => {
    ticking.delete(listener)
    if (ticking.size > 0) return
    clearInterval(clock)
    clock = undefined
  }
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { withoutEmpty } from '#/features/common/without-empty.ts'
import { type Preset, type RangeSearch, rangeOf, type TimeRange } from './time-range.ts'

/** How often a page that follows the present reads again, in milliseconds; 0 is never. */
export const intervals = { off: 0, '10s': 10_000, '1m': 60_000, '2m': 120_000, '5m': 300_000 } as const
export type Interval = keyof typeof intervals
const firstInterval: Interval = '10s'

interface MetricsSearch extends RangeSearch {
  every?: string | undefined
  /** `before` draws the period before beside the chosen one. */
  compare?: string | undefined
}

export interface RangeControl {
  range: TimeRange
  /** Off for a range that was chosen by its ends. */
  interval: Interval
  isComparing: boolean
  setPreset: (preset: Preset) => void
  setCustom: (start: number, end: number) => void
  setInterval: (interval: Interval) => void
  setComparing: (isComparing: boolean) => void
  /** Moves a preset to the present. */
  slide: () => void
}

/** The time that a page of charts shows. It is in the URL, and a preset moves with the present. */
export function useTimeRange(): RangeControl {
  const navigate = useNavigate()
  const search: MetricsSearch = useSearch({ strict: false })
  const [now, setNow] = useState(() => Date.now() / 1000)
  const range = rangeOf(search, now)
  const isMoving = range.preset !== undefined
  const interval = isMoving ? intervalOf(search.every) : 'off'
  const slide = () => setNow(Date.now() / 1000)

  useEffect(() => {
    const milliseconds = intervals[interval]
    if (milliseconds === 0) return
    // A page nobody looks at asks for nothing.
    const timer = setInterval(() => document.hidden || setNow(Date.now() / 1000), milliseconds)
    return () => clearInterval(timer)
  }, [interval])

  const change = (next: MetricsSearch) =>
    void navigate({ to: '.', search: (old) => withoutEmpty({ ...old, ...next }), resetScroll: false })
  return {
    range,
    interval,
    isComparing: search.compare === 'before',
    setPreset: (preset) => {
      slide()
      change({ range: preset, from: undefined, to: undefined })
    },
    setCustom: (start, end) => change({ range: undefined, from: isoOf(start), to: isoOf(end) }),
    setInterval: (every) => change({ every }),
    setComparing: (isComparing) => change({ compare: isComparing ? 'before' : undefined }),
    slide,
  }
}

const intervalOf = (word: string | undefined): Interval =>
  word !== undefined && Object.hasOwn(intervals, word) ? (word as Interval) : firstInterval

const isoOf = (seconds: number): string => new Date(Math.round(seconds) * 1000).toISOString()

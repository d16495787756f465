import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { withoutEmpty } from '#/kit/inputs/without-empty.ts'
import { type Preset, type RangeSearch, rangeOf, type SlideStep, type TimeRange } from './time-range.ts'

/** The refresh interval of a sliding page, in milliseconds; 0 means never. */
const intervals = { off: 0, '10s': 10_000, '1m': 60_000, '2m': 120_000, '5m': 300_000 } as const
export type Interval = keyof typeof intervals

/** The available intervals, the default one after `off`. */
const intervalsFrom = (step: SlideStep): Interval[] =>
  (Object.keys(intervals) as Interval[]).filter((each) => each === 'off' || intervals[each] >= step * 1000)

interface MetricsSearch extends RangeSearch {
  every?: string | undefined
  /** `before` compares with the previous period. */
  compare?: string | undefined
}

export interface RangeControl {
  range: TimeRange
  /** Off for a custom range. */
  interval: Interval
  intervals: readonly Interval[]
  isComparing: boolean
  setPreset: (preset: Preset) => void
  setCustom: (start: number, end: number) => void
  setInterval: (interval: Interval) => void
  setComparing: (isComparing: boolean) => void
  /** Slides a preset to the current time. */
  slide: () => void
}

/** The time range of a page of charts. The URL holds it, and a preset slides with the current time. */
export function useTimeRange(step: SlideStep): RangeControl {
  const navigate = useNavigate()
  const search: MetricsSearch = useSearch({ strict: false })
  const [now, setNow] = useState(() => Date.now() / 1000)
  const range = rangeOf(search, now, step)
  const isMoving = range.preset !== undefined
  const offered = intervalsFrom(step)
  const interval = isMoving ? (offered.find((each) => each === search.every) ?? offered[1] ?? 'off') : 'off'
  const slide = () => setNow(Date.now() / 1000)

  useEffect(() => {
    const milliseconds = intervals[interval]
    if (milliseconds === 0) return
    // A hidden page sends no requests.
    const timer = setInterval(() => document.hidden || setNow(Date.now() / 1000), milliseconds)
    return () => clearInterval(timer)
  }, [interval])

  const change = (next: MetricsSearch) =>
    void navigate({ to: '.', search: (old) => withoutEmpty({ ...old, ...next }), resetScroll: false })
  return {
    range,
    interval,
    intervals: offered,
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

const isoOf = (seconds: number): string => new Date(Math.round(seconds) * 1000).toISOString()

import type { Preset } from './time-range.ts'

/** The ranges of the charts of one object. */
export const presets: readonly { value: Preset; label: string }[] = [
  { value: 'hour', label: 'Last hour' },
  { value: '3-hours', label: 'Last 3 hours' },
  { value: 'day', label: 'Last 24 hours' },
]

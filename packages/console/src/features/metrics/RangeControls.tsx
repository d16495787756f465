import CalendarRange from 'lucide-react/icons/calendar-range'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { type ReactNode, useState } from 'react'
import { Button, buttonClass, IconButton } from '#/ui/Button.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { classes } from '#/ui/classes.ts'
import { Field } from '#/ui/inputs/Field.tsx'
import { formatDate, formatTime, once } from '#/ui/data/format.ts'
import { Popover, type PopoverTriggerProps } from '#/ui/overlays/Popover.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { fieldText, isPreset, isRepeated, momentOf, type Preset, type TimeRange } from './time-range.ts'
import type { Interval, RangeControl } from './use-time-range.ts'

interface Props {
  control: RangeControl
  /** The available presets with their labels. */
  presets: readonly { value: Preset; label: string }[]
  isFetching: boolean
  onRefresh: () => void
  /** Whether the page can compare with the previous period. */
  canCompare?: boolean
}

const intervalOption = (value: Interval) => ({ value, label: value === 'off' ? 'Off' : value })

/** The refresh interval and the time range of a page of charts. */
export function RangeControls({ control, presets, isFetching, onRefresh, canCompare }: Props) {
  const { range, interval } = control
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {canCompare && (
        <Checkbox
          checked={control.isComparing}
          onChange={(event) => control.setComparing(event.target.checked)}
        >
          Compare with the previous period
        </Checkbox>
      )}
      <div className="flex items-center gap-1">
        <IconButton
          label="Refresh charts"
          pending={isFetching}
          onClick={() => {
            control.slide()
            onRefresh()
          }}
        >
          <RefreshCw aria-hidden strokeWidth={1.75} className="size-4" />
        </IconButton>
        <Select
          small
          aria-label="Refresh interval"
          options={control.intervals.map(intervalOption)}
          value={interval}
          disabled={range.preset === undefined}
          onChange={control.setInterval}
        />
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <Select
          small
          aria-label="Choose a time range preset"
          options={[...presets, { value: 'custom', label: 'Custom' }]}
          value={range.preset ?? 'custom'}
          onChange={(chosen) => {
            if (isPreset(chosen)) control.setPreset(chosen)
            else control.setCustom(range.start, range.end)
          }}
        />
        <Popover label="Date range" align="end" trigger={rangeButton(range)}>
          <CustomRange
            key={range.preset ?? `${range.start}-${range.end}`}
            range={range}
            onApply={control.setCustom}
          />
        </Popover>
      </div>
    </div>
  )
}

const rangeButton =
  (range: TimeRange) =>
  (trigger: PopoverTriggerProps): ReactNode =>
    (
      // Two dates with times do not fit side by side on a phone.
      <button {...trigger} className={classes(buttonClass(), 'max-sm:h-auto! max-sm:shrink! max-sm:py-1.5')}>
        <CalendarRange aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />
        <span className="sr-only">Choose a date range: </span>
        <span className="tabular-nums max-sm:text-left max-sm:leading-snug max-sm:whitespace-normal">
          {rangeText(range)}
        </span>
      </button>
    )

const zonedTime = once(
  () => new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
)

/** With the zones if the clock changes in between, or shows one of the times twice. */
function rangeText({ start, end }: Pick<TimeRange, 'start' | 'end'>): string {
  const [from, to] = [new Date(start * 1000), new Date(end * 1000)]
  const isOneDay = from.toDateString() === to.toDateString()
  const isZoned = from.getTimezoneOffset() !== to.getTimezoneOffset() || isRepeated(start) || isRepeated(end)
  const time = (date: Date) => (isZoned ? zonedTime().format(date) : formatTime(date))
  const both = (date: Date) => `${formatDate(date)}, ${time(date)}`
  return `${both(from)} to ${isOneDay ? time(to) : both(to)}`
}

interface CustomProps {
  range: TimeRange
  onApply: (start: number, end: number) => void
}

function CustomRange({ range, onApply }: CustomProps) {
  const [from, setFrom] = useState(() => fieldText(range.start))
  const [to, setTo] = useState(() => fieldText(range.end))
  const [start, end] = [momentOf(from, range.start, 'start'), momentOf(to, range.end, 'end')]
  const problem =
    Number.isNaN(start) || Number.isNaN(end)
      ? 'Enter both dates and times'
      : start >= end
        ? 'The end must be after the start'
        : undefined
  return (
    <form
      className="grid w-72 gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem) onApply(start, end)
      }}
    >
      <Field label="Start">
        <TextInput type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
      </Field>
      <Field label="End" error={problem}>
        <TextInput type="datetime-local" value={to} onChange={(event) => setTo(event.target.value)} />
      </Field>
      <Button type="submit" kind="primary" disabledReason={problem}>
        Apply
      </Button>
    </form>
  )
}

// @chunk apart: charts are large.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { instanceDisks, instanceInterfaces, instanceView } from '#/features/instances/queries.ts'
import { metricsLink, type MetricsTab } from '#/features/instances/links.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { Select, type SelectOption } from '#/ui/inputs/Select.tsx'
import { cpuCharts, cpuStates, cpuStateWords, diskCharts, networkCharts } from './instance-charts.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { InstanceCharts, useInstanceCharts } from './InstanceCharts.tsx'
import { maxMarks, useInstanceMarks } from './instance-marks.ts'
import { RangeControls } from './RangeControls.tsx'
import { presets } from './presets.ts'
import { slideSteps } from './time-range.ts'
import { useTimeRange } from './use-time-range.ts'

interface Props {
  project: string
  instance: string
  tab: MetricsTab
}

const tabs: readonly { value: MetricsTab; label: string }[] = [
  { value: 'cpu', label: 'CPU' },
  { value: 'disk', label: 'Disk' },
  { value: 'network', label: 'Network' },
]

const everything = 'all'

/** Charts of an instance over the selected range, which persists across the kinds of charts. */
export function InstanceMetrics({ project, instance: name, tab }: Props) {
  const navigate = useNavigate()
  const control = useTimeRange(slideSteps.means)
  const { charts, picker, empty } = usePicked(project, name, tab)
  const subject = `${name} ${tab} ${picker.value}`
  const read = useInstanceCharts({ project, charts, control, subject })
  const { marks, areAll, ...events } = useInstanceMarks(project, name, control.range)
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex flex-wrap items-center gap-3">
          <Segmented
            label="Metrics"
            options={tabs}
            value={tab}
            onChange={(next) =>
              void navigate({
                ...metricsLink(project, name, next),
                search: ({ range, from, to, every, compare }: Record<string, string | undefined>) => ({
                  range,
                  from,
                  to,
                  every,
                  compare,
                }),
                resetScroll: false,
              })
            }
          />
          {!empty && <Select small {...picker} />}
        </div>
        {!empty && (
          <RangeControls
            control={control}
            presets={presets}
            isFetching={read.now.isFetching}
            onRefresh={() => void read.now.refetch()}
            canCompare
          />
        )}
      </div>
      {empty ? (
        <EmptyState title={empty} />
      ) : (
        <>
          {!areAll && (
            <p className="text-sm text-muted">
              The charts mark the newest {maxMarks} changes of the instance in this time.
            </p>
          )}
          {events.failure && (
            <SectionError
              title="Could not read the changes of the instance"
              failure={events.failure}
              onRetry={events.retry}
            />
          )}
          {read.failureBefore && (
            <SectionError
              title="Could not read the previous period"
              failure={read.failureBefore}
              onRetry={read.retryBefore}
            />
          )}
          <InstanceCharts charts={charts} control={control} read={read} marks={marks} />
        </>
      )}
    </div>
  )
}

/** The options of a tab's picker, and the charts of its selection. */
function usePicked(project: string, name: string, tab: MetricsTab) {
  const navigate = useNavigate()
  const { of }: { of?: string } = useSearch({ strict: false })
  const { id } = useSuspenseQuery(instanceView(project, name)).data
  const disks = useSuspenseQuery(instanceDisks(project, name)).data.items
  const interfaces = useSuspenseQuery(instanceInterfaces(project, name)).data.items
  const onChange = (value: string) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, of: value }),
      replace: true,
      resetScroll: false,
    })
  const pick = (label: string, options: readonly SelectOption[]) => {
    const value = options.find((option) => option.value === of)?.value ?? options[0]?.value
    return { 'aria-label': label, options, value, onChange }
  }

  if (tab === 'cpu') {
    const states = cpuStates.map((state) => ({ value: state, label: `State: ${cpuStateWords[state].label}` }))
    const picker = pick('Choose state', [...states, { value: everything, label: 'All states' }])
    const state = cpuStates.find((each) => each === picker.value)
    return { charts: cpuCharts(id, state), picker }
  }
  if (tab === 'disk') {
    const picker = pick('Choose disk', [{ value: everything, label: 'All disks' }, ...disks.map(byName)])
    const disk = disks.find((each) => each.id === picker.value)?.id
    return {
      charts: disks.length === 0 ? [] : diskCharts(id, disk),
      picker,
      empty: disks.length === 0 ? 'No disk metrics available' : undefined,
    }
  }
  const picker = pick('Choose network interface', [
    { value: everything, label: 'All NICs' },
    ...interfaces.map(byName),
  ])
  const nic = interfaces.find((each) => each.id === picker.value)?.id
  return {
    charts: interfaces.length === 0 ? [] : networkCharts(id, nic),
    picker,
    empty: interfaces.length === 0 ? 'No network metrics available' : undefined,
  }
}

const byName = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

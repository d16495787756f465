// @chunk apart: charts are large.
import { SectionError } from '#/kit/page/SectionError.tsx'
import { chartsOfDisk } from './instance-charts.ts'
import { InstanceCharts, useInstanceCharts } from './InstanceCharts.tsx'
import { RangeControls } from './RangeControls.tsx'
import { presets } from './presets.ts'
import { slideSteps } from './time-range.ts'
import { useTimeRange } from './use-time-range.ts'

/** Charts of a disk over the selected range, whatever instances it was attached to. */
export function DiskMetrics({ project, id }: { project: string; id: string }) {
  const control = useTimeRange(slideSteps.means)
  const charts = chartsOfDisk(id)
  const read = useInstanceCharts({ project, charts, control, subject: `disk ${id}` })
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <RangeControls
          control={control}
          presets={presets}
          isFetching={read.now.isFetching}
          onRefresh={() => void read.now.refetch()}
          canCompare
        />
      </div>
      {read.failureBefore && (
        <SectionError
          title="Could not read the previous period"
          failure={read.failureBefore}
          onRetry={read.retryBefore}
        />
      )}
      <InstanceCharts charts={charts} control={control} read={read} marks={noMarks} />
    </div>
  )
}

const noMarks = [] as const

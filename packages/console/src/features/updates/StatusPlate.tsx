import { updateProgress } from '@gantry/api/system/update.rules'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Progress } from '#/ui/data/Progress.tsx'
import { Term } from '#/ui/data/Term.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { UpdateStatus } from './queries.ts'

/** The target release and the progress of the update. */
export function StatusPlate({ status }: { status: UpdateStatus }) {
  const { targetRelease, componentsByReleaseVersion, timeLastStepPlanned, suspended } = status
  const progress = updateProgress(componentsByReleaseVersion, targetRelease?.version)
  return (
    <DataPlate>
      <DataItem label="Target release">{targetRelease?.version ?? <EmptyCell />}</DataItem>
      <DataItem label="Target set">
        {targetRelease ? <DateTime value={targetRelease.timeRequested} /> : <EmptyCell />}
      </DataItem>
      <DataItem label={<Term tip="When the update last began with a component.">Last step planned</Term>}>
        {timeLastStepPlanned ? <DateTime value={timeLastStepPlanned} /> : <EmptyCell />}
      </DataItem>
      <DataItem
        label={
          <Term tip="While suspended, components in progress finish and no others begin.">Suspended</Term>
        }
      >
        {suspended ? 'Yes' : 'No'}
      </DataItem>
      <DataItem
        wide
        label={<Term tip="The number of components that run the target release.">Progress</Term>}
      >
        {progress ? (
          <>
            <span className="tabular-nums">
              {progress.percent}% ({progress.done} of {progress.total})
            </span>
            <div className="min-w-24 grow">
              <Progress label="Progress of the update" percent={progress.percent} />
            </div>
          </>
        ) : (
          <EmptyCell />
        )}
      </DataItem>
    </DataPlate>
  )
}

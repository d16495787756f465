import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { usePolling } from '#/data/live.ts'
import { invalidateOps } from '#/data/queries.ts'
import { isTasksOpen } from '#/kit/page/tasks-open.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { useStore } from '#/store.ts'
import { instanceReads } from '../queries.ts'
import { hasEnded, localRuns, readDismissed, type Run, saveDismissed, shownRuns } from './shown-runs.ts'
import { recentRuns } from './run.ts'

const RunCards = lazyPart(() => import('./RunCards.tsx'), 'RunCards')

const pollMs = 1000

/**
 * Bulk runs and their results, below the list, of which they cover nothing. Survives a reload. The column of tasks tells of
 * those of the server while it is open.
 */
export function BulkRuns({ project }: { project?: string }) {
  const runs = useRuns(project)
  const [dismissed, setDismissed] = useState(readDismissed)
  const [openedAt] = useState(Date.now)
  const isToldBeside = useStore(isTasksOpen)
  const shown = shownRuns(isToldBeside ? runs.filter((run) => 'project' in run) : runs, dismissed, openedAt)
  if (shown.length === 0) return null
  return (
    <RunCards
      project={project}
      runs={shown}
      onDismiss={(id) => {
        saveDismissed([...readDismissed(), id])
        setDismissed(readDismissed())
      }}
    />
  )
}

function useRuns(project: string | undefined): readonly Run[] {
  const queryClient = useQueryClient()
  const here = useStore(localRuns)
  const polling = usePolling(pollMs)
  const { data: kept = none } = useQuery({
    ...recentRuns(project),
    // No runs render like no answer.
    select: ({ items }) => (items.length > 0 ? items : undefined),
    enabled: !isAbsent(op.instanceActionList),
    refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? polling : false),
  })
  const ended = kept.reduce((sum, { items }) => sum + items.filter(hasEnded).length, 0)
  // Without the change stream, each result triggers a read of the instances.
  useEffect(() => {
    if (polling !== false && ended > 0) void invalidateOps(queryClient, instanceReads)
  }, [ended, polling, queryClient])
  return [...here.filter((run) => run.project === project), ...kept]
}

const none: readonly Run[] = []

const isRunning = ({ state }: Pick<Run, 'state'>): boolean => state === 'running'

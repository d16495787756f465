import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import OctagonX from 'lucide-react/icons/octagon-x'
import X from 'lucide-react/icons/x'
import { useEffect, useState } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { usePolling } from '#/data/live.ts'
import { invalidateOps } from '#/data/queries.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Foot } from '#/kit/list/foot.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { isTasksOpen } from '#/kit/page/tasks-open.ts'
import { IconButton } from '#/ui/Button.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { Progress } from '#/ui/data/Progress.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { useStore } from '#/store.ts'
import { instanceLink } from '../links.ts'
import { instanceReads } from '../queries.ts'
import { type LocalRun, localRuns, readDismissed, saveDismissed, shownRuns } from './shown-runs.ts'
import { recentRuns } from './run.ts'

const pollMs = 1000

/**
 * Bulk runs and their results, below the list, of which they cover nothing. Survives a reload. The column of tasks tells of
 * those of the server while it is open.
 */
export function BulkRuns({ project }: { project: string }) {
  const runs = useRuns(project)
  const [dismissed, setDismissed] = useState(readDismissed)
  const [openedAt] = useState(Date.now)
  const isToldBeside = useStore(isTasksOpen)
  const shown = shownRuns(isToldBeside ? runs.filter((run) => 'project' in run) : runs, dismissed, openedAt)
  if (shown.length === 0) return null
  return (
    <Foot>
      <section
        aria-label="Actions on several instances"
        className="-order-1 max-h-[40dvh] overflow-y-auto overscroll-contain border-t border-line bg-page px-gutter py-2"
      >
        <div className="grid max-w-page gap-2">
          {shown.map((run) => (
            <Run
              key={run.id}
              project={project}
              run={run}
              onDismiss={() => {
                saveDismissed([...readDismissed(), run.id])
                setDismissed(readDismissed())
              }}
            />
          ))}
        </div>
      </section>
    </Foot>
  )
}

type Shown = Omit<LocalRun, 'project'>

function useRuns(project: string): readonly Shown[] {
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

const none: readonly Shown[] = []

const isRunning = ({ state }: Pick<Shown, 'state'>): boolean => state === 'running'
const hasEnded = ({ state }: Shown['items'][number]): boolean => state === 'done' || state === 'failed'

const words = {
  start: ['Starting', 'Started'],
  stop: ['Stopping', 'Stopped'],
  reboot: ['Rebooting', 'Rebooted'],
  delete: ['Deleting', 'Deleted'],
} as const

interface RunProps {
  project: string
  run: Shown
  onDismiss: () => void
}

function Run({ project, run: { action, state, items }, onDismiss }: RunProps) {
  const [doing, done] = words[action]
  const failed = items.filter((item) => item.state === 'failed')
  const ended = items.filter(hasEnded).length
  const instances = formatCount(items.length, 'instance')
  const title =
    state === 'running'
      ? `${doing} ${instances}`
      : failed.length > 0
        ? `${done} ${items.length - failed.length} of ${instances}`
        : `${done} ${instances}`
  return (
    <article
      aria-label={title}
      className="max-w-form rounded-block border border-line bg-raised p-3 text-sm text-text"
    >
      <div className="flex items-start gap-2.5">
        <span className="mt-0.5">
          <Glyph isRunning={state === 'running'} hasFailed={failed.length > 0} />
        </span>
        <div role="status" className="grow">
          <h2 className="text-base">{title}</h2>
        </div>
        {state === 'done' && (
          <IconButton
            label="Dismiss"
            kind="quiet"
            className="-mt-1 size-7! coarse:size-11!"
            onClick={onDismiss}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
      {state === 'running' && (
        <div className="my-2">
          <Progress label={title} percent={(ended / items.length) * 100} />
        </div>
      )}
      <Results project={project} items={items} words={{ pending: 'Waiting', under_way: doing, done }} />
    </article>
  )
}

function Glyph({ isRunning: isGoing, hasFailed }: { isRunning: boolean; hasFailed: boolean }) {
  if (isGoing) return <Spinner />
  return hasFailed ? (
    <OctagonX aria-hidden className="size-4 text-fail-fill" />
  ) : (
    <CircleCheck aria-hidden className="size-4 text-ok-fill" />
  )
}

/** Failures first, because they need action. */
function Results({
  project,
  items,
  words,
}: {
  project: string
  items: Shown['items']
  words: Record<'pending' | 'under_way' | 'done', string>
}) {
  const order = { failed: 0, under_way: 1, pending: 2, done: 3 }
  const sorted = [...items].sort((one, other) => order[one.state] - order[other.state])
  return (
    <ul className="max-h-40 space-y-1 overflow-y-auto overscroll-contain">
      {sorted.map(({ instance: { id, name }, state, error }) => (
        <li key={id ?? name} className="wrap-anywhere">
          {state === 'failed' && name ? (
            <PageLink {...instanceLink(project, name)} className="name">
              {name}
            </PageLink>
          ) : (
            <span className="font-medium text-strong">{name ?? id}</span>
          )}{' '}
          {state === 'failed' ? (
            <span className="text-fail-text">{error ? failureText(error) : 'Failed'}</span>
          ) : (
            <span className="text-muted">{words[state]}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

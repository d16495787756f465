import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { RunPlate } from './parts.tsx'
import { type Run, runItems, scheduleRuns } from './queries.ts'

interface Props {
  project: string
  schedule: string
  /** Of what it makes. */
  noun: 'snapshot' | 'backup'
}

/** The newest runs; each opens what came of its objects. */
export function Runs({ project, schedule, noun }: Props) {
  const { data } = useSuspenseQuery({
    ...scheduleRuns(project, schedule),
    refetchInterval: ({ state }) => (state.data?.items.some(({ timeEnded }) => !timeEnded) ? 2000 : 30_000),
  })
  return (
    <section aria-label="Runs" className="mt-5 space-y-2">
      <h2 className="text-md">Runs</h2>
      {data.items.length === 0 ? (
        <p className="text-muted">The first run will appear here.</p>
      ) : (
        <ul aria-label="Runs" className="rounded-block border border-line">
          {data.items.map((run) => (
            <RunRow key={run.id} run={run} project={project} schedule={schedule} noun={noun} />
          ))}
        </ul>
      )}
    </section>
  )
}

function RunRow({ run, project, schedule, noun }: Props & { run: Run }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="border-b border-faint-line px-3.5 py-2 last:border-0">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <span className="w-48">
          <DateTime value={run.due} />
        </span>
        <span className="w-24">
          <RunPlate state={run.state} />
        </span>
        <span className="min-w-0 grow basis-64 text-sm wrap-anywhere">{runText(run, noun)}</span>
        {run.total > 0 && (
          <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide results' : 'Show results'}
          </Button>
        )}
      </div>
      {isOpen && <Results run={run} project={project} schedule={schedule} />}
    </li>
  )
}

/** What came of a run, in words. */
function runText({ state, total, done, failed, removed, missed, reason }: Run, noun: Props['noun']): string {
  const before =
    state === 'missed'
      ? missed > 1
        ? `${atLeast(missed)} runs missed.`
        : ''
      : missed > 0
        ? `${atLeast(missed)} ${plural('run', missed)} missed before.`
        : ''
  const objects =
    total === 0
      ? ''
      : state === 'running'
        ? `${formatNumber(total)} ${plural('object', total)}.`
        : failed > 0
          ? `${formatNumber(failed)} of ${formatNumber(total)} failed.`
          : `${formatNumber(done)} ${plural('object', done)}.`
  const old = removed > 0 ? `${formatNumber(removed)} old ${plural(noun, removed)} deleted.` : ''
  return [objects, old, before, reason].filter(Boolean).join(' ')
}

const atLeast = (missed: number): string =>
  missed >= 1000 ? `At least ${formatNumber(missed)}` : formatNumber(missed)

const itemWords = { pending: 'Waiting', under_way: 'In progress', done: 'Done', failed: 'Failed' } as const

function Results({ run, project, schedule }: Omit<Props, 'noun'> & { run: Run }) {
  const { data, isError } = useQuery(runItems(project, schedule, run.due))
  if (isError) return <p className="mt-2 text-sm text-muted">The results could not be read. Try again.</p>
  if (!data) return <p className="mt-2 text-sm text-muted">Loading results…</p>
  return (
    <ul aria-label="Results" className="mt-2 space-y-1 border-t border-faint-line pt-2 text-sm">
      {data.items.map(({ object, state, error, snapshot }) => (
        <li key={object.id} className="flex flex-wrap gap-x-4">
          <span className="min-w-32 font-medium text-strong wrap-anywhere">{object.name}</span>
          <span className="min-w-0 grow basis-56 wrap-anywhere">
            {error ? `${error.message}. ${error.help}`.replace('.. ', '. ') : itemWords[state]}
            {snapshot && `: ${snapshot.kind === 'instance-backup' ? 'backup' : 'snapshot'} ${snapshot.name}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

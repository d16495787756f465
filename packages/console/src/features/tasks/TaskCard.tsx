import { isOpenTask, taskBeginning, taskNoun, type TaskState } from '@gantry/api/history/task.rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { asFailure } from '#/data/failure.ts'
import { changedLink } from '#/features/audit/links.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Button } from '#/ui/Button.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { type StateFamily, StateMark } from '#/ui/data/StatePlate.tsx'
import { useSecond } from '#/ui/use-second.ts'
import { taskDetail } from './panel-queries.ts'
import type { Task } from './queries.ts'
import { rateText, type Reading, shares, standing, timing } from './words.ts'

const glyphs: Record<TaskState, StateFamily> = {
  running: 'busy',
  needs_attention: 'care',
  finished: 'ok',
  failed: 'fail',
  cancelled: 'gone',
}

/** A task: what it does to which object, how far it is, what went wrong, and what can be done about it. */
export function TaskCard({ task, showsWho }: { task: Task; showsWho: boolean }) {
  const { progress, failure, by } = task
  const isOpen = isOpenTask(task.state)
  return (
    <li className="grid grid-cols-[0.75rem_minmax(0,1fr)] gap-x-2.5 border-b border-faint-line py-2 pr-4 pl-4 text-sm text-muted">
      <span className="mt-1">
        <StateMark family={glyphs[task.state]} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <Sentence task={task} />
        {isOpen && progress && progress.total > 0 && <Bar label={taskNoun(task)} progress={progress} />}
        <Figures task={task} />
        {showsWho && (
          <p>
            {by.kind === 'platform' ? `by ${by.name ?? 'the platform'}` : `by ${by.name ?? 'an operator'}`}
          </p>
        )}
        {/* Of several objects, the figures say it. */}
        {failure && task.count === 1 && (
          <p className="text-text">{failureText({ message: failure.message, help: failure.nextStep })}</p>
        )}
        <TaskActions task={task} />
      </div>
    </li>
  )
}

function Sentence({ task }: { task: Task }) {
  const { siloName } = useCurrentUser()
  const { object, count, project, silo, state, verb } = task
  const link =
    object.id !== null && count === 1 && !(verb === 'delete' && state === 'finished')
      ? changedLink(
          {
            kind: object.kind,
            op: 'update',
            objectId: object.id,
            name: object.name,
            project,
            silo,
            isVisible: true,
          },
          siloName,
          silo ? 'silo' : 'fleet',
        )
      : undefined
  const beginning = `${taskBeginning(task)} ${taskNoun(task)}`
  return (
    <p>
      <b className="font-medium text-strong">
        {beginning}
        {count === 1 && object.name !== null && ' '}
        {count === 1 &&
          object.name !== null &&
          (link ? (
            <PageLink {...link} className="name">
              {object.name}
            </PageLink>
          ) : (
            object.name
          ))}
      </b>
      {project && object.kind !== 'project' && (
        <>
          {' in '}
          {silo?.name === siloName ? (
            <PageLink
              to="/projects/$project/instances"
              params={{ project: project.name }}
              className="hover:underline"
            >
              {project.name}
            </PageLink>
          ) : (
            project.name
          )}
        </>
      )}
    </p>
  )
}

/** What is done, what is in progress, and what failed; the figures are below it. */
function Bar({ label, progress }: { label: string; progress: NonNullable<Task['progress']> }) {
  const { done, running, failed } = shares(progress)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(done)}
      className="mt-1.5 mb-1 flex h-2 overflow-hidden rounded-[2px] border border-control-line bg-page"
    >
      <span className="gauge-fill block bg-muted" style={{ width: `${done}%` }} />
      <span className="gauge-fill block bg-muted/45" style={{ width: `${running}%` }} />
      <span className="gauge-fill block bg-fail-fill" style={{ width: `${failed}%` }} />
    </div>
  )
}

function Figures({ task }: { task: Task }) {
  const isOpen = isOpenTask(task.state)
  const now = useSecond()
  const rate = useRate(task)
  const parts = [
    isOpen || isOfSeveral(task) ? standing(task) : undefined,
    isOpen && rate ? rate : timing(task, now),
  ].filter((part) => part !== undefined)
  return <p className="tabular-nums">{parts.join(' · ')}</p>
}

/** How fast bytes arrive, by the last two answers. */
function useRate({ progress, state }: Task): string | undefined {
  const bytes = progress?.unit === 'bytes' && state === 'running' ? progress.done : undefined
  const last = useRef<Reading>(undefined)
  const [text, setText] = useState<string>()
  const total = progress?.total ?? 0
  useEffect(() => {
    if (bytes === undefined || last.current?.bytes === bytes) return
    const reading = { bytes, at: performance.now() }
    setText(rateText(last.current, reading, total - bytes))
    last.current = reading
  }, [bytes, total])
  return bytes === undefined ? undefined : text
}

/** What can be done about a task now, and which of its objects failed. */
export function TaskActions({ task }: { task: Task }) {
  const [showsFailures, setShowsFailures] = useState(false)
  return (
    <>
      <Actions task={task} showsFailures={showsFailures} onShowFailures={setShowsFailures} />
      {/* Fetched anew when more have failed. */}
      {showsFailures && <Failures key={task.progress?.failed} task={task} />}
    </>
  )
}

/** What comes back with an object is counted too. */
const isOfSeveral = ({ count, verb }: Task): boolean => count > 1 || verb === 'restore'

interface ActionsProps {
  task: Task
  showsFailures: boolean
  onShowFailures: (shown: boolean) => void
}

function Actions({ task, showsFailures, onShowFailures }: ActionsProps) {
  const queryClient = useQueryClient()
  const [pending, setPending] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const failed = isOfSeveral(task) ? (task.progress?.failed ?? 0) : 0
  if (task.actions.length === 0 && failed === 0) return null
  const run = async (operation: string, target: string) => {
    setPending(operation)
    setRefused(undefined)
    try {
      const { runTaskAction } = await import('./run-task.ts')
      await runTaskAction(queryClient, operation, target)
    } catch (error) {
      setRefused(failureText(asFailure(error)))
    } finally {
      setPending(undefined)
    }
  }
  return (
    <>
      <div className="mt-1.5 flex flex-wrap gap-1.5">
        {failed > 0 && (
          <Button
            className={small}
            aria-expanded={showsFailures}
            onClick={() => onShowFailures(!showsFailures)}
          >
            {showsFailures ? `Hide the ${formatNumber(failed)}` : `Show the ${formatNumber(failed)}`}
          </Button>
        )}
        {task.actions.map(({ action, operation, target }) => (
          <Button
            key={operation}
            kind={action === 'cancel' ? 'quiet' : 'default'}
            className={small}
            pending={pending === operation}
            onClick={() => void run(operation, target)}
          >
            {labels[action](task, failed)}
          </Button>
        ))}
      </div>
      {refused && (
        <p role="alert" className="mt-1 text-fail-text">
          {refused}
        </p>
      )}
    </>
  )
}

const small = 'h-7! px-2.5! coarse:h-11!'

const labels: Record<Task['actions'][number]['action'], (task: Task, failed: number) => string> = {
  cancel: ({ kind }) =>
    kind === 'network-trial' ? 'Revert' : kind === 'instance-action' ? 'Cancel the rest' : 'Cancel',
  confirm: () => 'Keep',
  retry: (_, failed) => (failed > 0 ? `Retry ${formatNumber(failed)}` : 'Retry'),
}

/** Each object that failed, and why. */
function Failures({ task }: { task: Task }) {
  const detail = useQuery(taskDetail(task.id))
  const { refetch } = detail
  if (detail.error) return <SectionError failure={detail.error} onRetry={() => void refetch()} />
  return (
    <ul aria-label="Failed" className="mt-1.5 max-h-60 space-y-1 overflow-y-auto overscroll-contain">
      {detail.data?.failures.map(({ id, name, message, nextStep }) => (
        <li key={id ?? name}>
          {name !== null && id !== null && task.project && task.object.kind === 'instance' ? (
            <PageLink {...instanceLink(task.project.name, name)} className="name">
              {name}
            </PageLink>
          ) : (
            <b className="font-medium text-strong">{name ?? id}</b>
          )}{' '}
          {failureText({ message, help: nextStep })}
        </li>
      ))}
    </ul>
  )
}

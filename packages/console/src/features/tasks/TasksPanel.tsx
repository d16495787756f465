import { taskKeptDays, taskPage } from '@gantry/api/history/task.rules'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouterState } from '@tanstack/react-router'
import Settings from 'lucide-react/icons/settings'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { setTasksOpen } from '#/kit/page/tasks-open.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Button, buttonClass, IconButton } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { endedTasks, openTasks, type TaskScope } from './panel-queries.ts'
import { sectionsOf } from './panel-sections.ts'
import { hasTasks, type Task, useTasksInterval } from './queries.ts'
import { NotificationCard } from './NotificationCard.tsx'
import { type Notification, notifications } from './notifications.ts'
import { TaskCard } from './TaskCard.tsx'

const whose = [
  { value: 'mine', label: 'Mine' },
  { value: 'all', label: 'Everybody’s' },
] as const

const shownFirst = 20

/** The column beside the page; on narrow screens it takes the page's place. */
export function TasksPanel() {
  const { fleetViewer } = useCurrentUser()
  const { project } = useParams({ strict: false })
  const [isMine, setMine] = useState(true)
  const [wanted, setWanted] = useState<'everywhere' | 'project' | 'system'>('everywhere')
  const [limit, setLimit] = useState(shownFirst)
  useClosedByNavigation()
  const places = [
    { value: 'everywhere', label: 'Everywhere' } as const,
    ...(project ? [{ value: 'project', label: project } as const] : []),
    ...(fleetViewer && !isMine ? [{ value: 'system', label: 'System' } as const] : []),
  ]
  const place = places.find(({ value }) => value === wanted)?.value ?? 'everywhere'
  const scope: TaskScope = { isMine, place: place === 'project' ? { project: project ?? '' } : place }
  const open = useQuery({ ...openTasks(scope), refetchInterval: useTasksInterval('in full') })
  const ended = useQuery(endedTasks(scope, limit))
  const { data: unread } = useQuery(notifications)
  useRefetchWhenEnded(open.data?.items, () => void ended.refetch())
  const isServed = hasTasks()
  // Open from another server at this address.
  useEffect(() => {
    if (!isServed) setTasksOpen(false)
  }, [isServed])
  if (!isServed) return null
  const told = isMine ? (unread?.items ?? []) : []
  // Until it is read, a task is above.
  const above = told.map(({ taskId }) => taskId)
  const { needed, running, finished } = sectionsOf(open, ended, above)
  const failure = open.error ?? ended.error
  return (
    <aside
      aria-labelledby="tasks-title"
      data-print="hide"
      className="flex min-h-0 min-w-0 flex-col border-t border-line bg-rail md:border-l"
    >
      <div className="flex items-center gap-2 py-2 pr-2.5 pl-4 md:pt-3">
        <h2 id="tasks-title" className="grow text-md">
          Tasks
        </h2>
        <PageLink
          to="/settings/notifications"
          aria-label="Choose notifications"
          className={classes(buttonClass({ kind: 'quiet', icon: true }), 'coarse:size-11!')}
        >
          <Settings aria-hidden strokeWidth={1.75} className="size-4" />
        </PageLink>
        <IconButton
          label="Close tasks"
          kind="quiet"
          className="coarse:size-11!"
          onClick={() => setTasksOpen(false)}
        >
          <X aria-hidden strokeWidth={1.75} className="size-4" />
        </IconButton>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 pb-3">
        <Segmented
          label="Whose"
          options={whose}
          value={isMine ? 'mine' : 'all'}
          onChange={(value) => setMine(value === 'mine')}
        />
        <Select small aria-label="Where" options={places} value={place} onChange={setWanted} />
      </div>
      <div className="grow overflow-y-auto overscroll-contain pt-1 pb-4">
        {failure && (
          <div className="px-4 pt-2">
            <SectionError
              failure={failure}
              onRetry={() => {
                void open.refetch()
                void ended.refetch()
              }}
            />
          </div>
        )}
        {!open.data && !failure && <Loading />}
        <Section title="Needs you" tasks={needed} told={told} count showsWho={!isMine} />
        <Section title="Running" tasks={running} count showsWho={!isMine} />
        {ended.data && (
          <Section
            title="Finished"
            note={`kept for ${taskKeptDays} days`}
            tasks={finished}
            showsWho={!isMine}
            empty={needed.length + told.length + running.length === 0 ? <Empty isMine={isMine} /> : undefined}
          />
        )}
        {ended.data && (
          <p className="px-4 pt-3 text-sm">
            <PageLink
              to="/tasks"
              search={isMine ? {} : { whose: place === 'system' ? 'fleet' : 'all' }}
              className="link"
            >
              All tasks
            </PageLink>
          </p>
        )}
        {limit < taskPage && (ended.data?.items.length ?? 0) >= limit && (
          <div className="px-4 pt-3">
            <Button onClick={() => setLimit(taskPage)} pending={ended.isFetching}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </aside>
  )
}

interface SectionProps {
  title: string
  note?: string
  tasks: readonly Task[]
  /** Notifications beside them. */
  told?: readonly Notification[]
  count?: boolean
  showsWho: boolean
  /** What an empty one shows; otherwise it is absent. */
  empty?: ReactNode
}

function Section({ title, note, tasks, told, count, showsWho, empty }: SectionProps) {
  const total = tasks.length + (told?.length ?? 0)
  if (total === 0) return empty
  return (
    <section aria-label={title}>
      <h3 className="flex items-baseline gap-1.5 px-4 pt-2.5 pb-1 text-xs font-medium text-muted">
        {title} {count && <b className="font-semibold text-strong">{formatNumber(total)}</b>}
        {note && <span className="font-normal">{note}</span>}
      </h3>
      <ul>
        {told?.map((notification) => (
          <NotificationCard key={notification.id} notification={notification} />
        ))}
        {tasks.map((task) => (
          <TaskCard key={task.id} task={task} showsWho={showsWho} />
        ))}
      </ul>
    </section>
  )
}

const Empty = ({ isMine }: { isMine: boolean }) => (
  <p className="px-4 py-6 text-center text-sm text-muted">
    {isMine
      ? 'Nothing is running. What you start here or by a program appears with its progress.'
      : 'Nothing is running here.'}
  </p>
)

const Loading = () => (
  <div className="space-y-3 px-4 pt-4">
    <Skeleton className="h-10" />
    <Skeleton className="h-10" />
  </div>
)

/** What left the open ones has ended. */
function useRefetchWhenEnded(open: readonly Task[] | undefined, refetch: () => void): void {
  const ids = open?.map(({ id }) => id).join(' ')
  const last = useRef(ids)
  useEffect(() => {
    const before = last.current
    last.current = ids
    if (before === undefined || ids === undefined || before === ids) return
    const now = new Set(ids.split(' '))
    if (before.split(' ').some((id) => id !== '' && !now.has(id))) refetch()
  })
}

/** Where the column takes the place of the page, a link of its own leads there. */
function useClosedByNavigation(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    if (matchMedia('(max-width: 767px)').matches) setTasksOpen(false)
  }, [path])
}

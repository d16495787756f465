import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import ListChecks from 'lucide-react/icons/list-checks'
import { isTasksOpen, setTasksOpen } from '#/kit/page/tasks-open.ts'
import { useStore } from '#/store.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { StateMark } from '#/ui/data/StatePlate.tsx'
import { type Notification, notifications, useNotificationsInterval } from './notifications.ts'
import { hasTasks, myOpenTasks, type Task, useTasksInterval } from './queries.ts'
import { useBrowserNotifications } from './use-browser-notifications.ts'

/** The button of the column of tasks, with what runs and what needs the user. Absent where the server has no tasks. */
export function TasksTray() {
  const isOpen = useStore(isTasksOpen)
  const { tasks, unread } = useQueries({
    queries: [
      { ...myOpenTasks, refetchInterval: useTasksInterval('counted') },
      { ...notifications, ...useNotificationsInterval() },
    ],
    combine: onceBothAreRead,
  })
  useBrowserNotifications(unread)
  if (!tasks || !hasTasks()) return null
  const running = tasks.filter(({ state }) => state === 'running').length
  const waiting = tasks.length - running + (unread?.length ?? 0)
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className="wash flex h-8 items-center gap-2.5 rounded-control border border-transparent px-2 text-sm font-medium text-strong tabular-nums aria-expanded:border-control-line aria-expanded:bg-page coarse:h-11 max-md:gap-1.5"
      onClick={() => setTasksOpen(!isOpen)}
    >
      <ListChecks aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />
      <span className="sr-only">{labelOf(running, waiting)}</span>
      {running > 0 && <Count family="busy" count={running} className={waiting > 0 ? 'max-md:hidden' : ''} />}
      {waiting > 0 && <Count family="fail" count={waiting} />}
    </button>
  )
}

interface Read {
  tasks?: readonly Task[] | undefined
  unread?: readonly Notification[] | undefined
}

const nothing: Read = {}

/** Two answers at about the same time render once. */
const onceBothAreRead = ([tasks, notices]: readonly [
  UseQueryResult<{ items: Task[] }>,
  UseQueryResult<{ items: Notification[] }>,
]): Read =>
  tasks.isLoading || notices.isLoading ? nothing : { tasks: tasks.data?.items, unread: notices.data?.items }

const Count = ({
  family,
  count,
  className = '',
}: {
  family: 'busy' | 'fail'
  count: number
  className?: string
}) => (
  <span aria-hidden className={`flex items-center gap-1.5 max-md:gap-1 ${className}`}>
    <StateMark family={family} />
    {count >= 100 ? '99+' : formatNumber(count)}
  </span>
)

function labelOf(running: number, waiting: number): string {
  const parts = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? 'needs' : 'need'} you`] : []),
  ]
  return parts.length > 0 ? `Tasks: ${parts.join(', ')}` : 'Tasks'
}

import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { useCurrentUser } from '#/data/current-user.ts'
import { invalidateOps } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { changedLink } from '#/features/audit/links.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { IconButton } from '#/ui/Button.tsx'
import { type StateFamily, StateMark } from '#/ui/data/StatePlate.tsx'
import { useSecond } from '#/ui/use-second.ts'
import type { Notification } from './notifications.ts'
import { taskDetail } from './panel-queries.ts'
import { TaskActions } from './TaskCard.tsx'
import { whenText } from './words.ts'

const glyphs: Record<Notification['kind'], StateFamily> = {
  task_failed: 'fail',
  task_finished: 'ok',
  instance_failed: 'fail',
  instance_restarted: 'care',
  quota: 'care',
  certificate: 'care',
  token: 'care',
  role: 'ok',
}

/** What the user is to know of, until it is dismissed. */
export function NotificationCard({ notification }: { notification: Notification }) {
  const { id, kind, title, message, nextStep, time, taskId } = notification
  const queryClient = useQueryClient()
  const read = useOp(op.notificationRead)
  const now = useSecond()
  const dismiss = async () => {
    await read.run({ body: { ids: [id] } }).catch(() => undefined)
    await invalidateOps(queryClient, [op.notificationList])
  }
  return (
    <li className="grid grid-cols-[0.75rem_minmax(0,1fr)_auto] gap-x-2.5 border-b border-faint-line py-2 pr-2.5 pl-4 text-sm text-muted">
      <span className="mt-1">
        <StateMark family={glyphs[kind]} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p>
          <b className="font-medium text-strong">{title}</b>
          <Place notification={notification} />
        </p>
        {message && <p>{failureText({ message, ...(nextStep && { help: nextStep }) })}</p>}
        <p className="tabular-nums">{whenText(time, now)}</p>
        {taskId !== null && kind === 'task_failed' && <OfTask id={taskId} />}
        {read.error && (
          <p role="alert" className="text-fail-text">
            {failureText(read.error)}
          </p>
        )}
      </div>
      <IconButton
        label="Dismiss"
        kind="quiet"
        pending={read.isPending}
        className="-mt-1 size-7! coarse:size-11!"
        onClick={() => void dismiss()}
      >
        <X aria-hidden strokeWidth={1.75} className="size-4" />
      </IconButton>
    </li>
  )
}

/** Leads to the object, or to its project. */
function Place({ notification: { object, project, silo } }: { notification: Notification }) {
  const { siloName } = useCurrentUser()
  const link =
    object &&
    changedLink(
      {
        kind: object.kind,
        op: 'update',
        objectId: object.id,
        name: object.kind === 'project' ? (project?.name ?? null) : object.name,
        project,
        silo,
        isVisible: true,
      },
      siloName,
      silo ? 'silo' : 'fleet',
    )
  if (link)
    return (
      <>
        {' · '}
        <PageLink {...link} className="link">
          Open
        </PageLink>
      </>
    )
  return project && ` in ${project.name}`
}

/** What can be done about the task now. */
function OfTask({ id }: { id: string }) {
  const { data } = useQuery(taskDetail(id))
  return data ? <TaskActions task={data} /> : null
}

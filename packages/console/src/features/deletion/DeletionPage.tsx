// @chunk deletion-pages: of the plans of four kinds, which few users open.
import * as op from '@gantry/api/client/operations.gen'
import type { PlannedKind } from '@gantry/api/history/deletion.rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Foot } from '#/kit/list/foot.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { usePlansOffered } from '#/kit/plan/plan.ts'
import { SavePlan, useWhyNotAlone } from '#/kit/plan/SavePlan.tsx'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { formatTimeToSecond } from '#/ui/data/format.ts'
import { Progress } from '#/ui/data/Progress.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { Blockers } from './Blockers.tsx'
import { type Deletion, deletionPlan, ownDeletions, type Plan } from './queries.ts'
import { Tree } from './Tree.tsx'
import { lostText, nounOf, progressText } from './words.ts'

interface Props {
  kind: PlannedKind
  /** As in `Delete project`. */
  noun: string
  object: { id: string; name: string }
  /** Where the object's own page or list is, for those who decide otherwise. */
  cancelTo: LinkTarget
  /** Where to go once it is gone. */
  goneTo: LinkTarget
  /** The page of an object that is in the way, if it has one. */
  linkOf?: (kind: string, name: string) => LinkTarget | undefined
}

/** How often the progress is read where no stream of changes tells of it, in milliseconds. */
const pollMs = 1000

/** What deleting an object would do, the question, and then its progress. */
export function DeletionPage(props: Props) {
  const { kind, object } = props
  const { data: tasks } = useQuery({
    ...ownDeletions,
    refetchInterval: ({ state }) =>
      taskOf(state.data?.items, object.id)?.state === 'running' ? pollMs : false,
  })
  const task = taskOf(tasks?.items, object.id)
  const isRunning = task?.state === 'running'
  const query = useQuery({ ...deletionPlan(kind, object.id), enabled: tasks !== undefined && !isRunning })
  const onBegun = useLeaving(props, task)
  return (
    <>
      <PageHead title={`Delete ${props.noun} ${object.name}`} state={!isRunning && <Tag>Plan</Tag>} />
      {task?.state === 'stopped' && <Stopped task={task} />}
      {isRunning ? (
        <Running task={task} cancelTo={props.cancelTo} />
      ) : query.error ? (
        <ErrorNote errors={[failureText(query.error)]} />
      ) : query.data ? (
        <Review {...props} plan={query.data} onBegun={onBegun} onStale={() => void query.refetch()} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </>
  )
}

/** The latest deletion of the object. */
const taskOf = (tasks: readonly Deletion[] | undefined, id: string): Deletion | undefined =>
  tasks?.find(({ object }) => object.id === id)

/**
 * Once what was begun or found running here is done, there is nothing left to show.
 * Answers with what to call with the identifier of a deletion that was begun here: a short one
 * can be done before it is ever read as running.
 */
function useLeaving(
  { noun, object, goneTo }: Props,
  task: Deletion | undefined,
): (deletionId: string) => void {
  const navigate = useNavigate()
  const [seen, setSeen] = useState<string>()
  if (task?.state === 'running' && seen !== task.id) setSeen(task.id)
  const isGone = task?.state === 'done' && task.id === seen
  useEffect(() => {
    if (!isGone) return
    toast.success(successMessage(noun, object.name, 'deleted'))
    void navigate(goneTo)
    // Leaves once; the links are made anew by each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isGone])
  return setSeen
}

function Stopped({ task: { refusal, done, total } }: { task: Deletion }) {
  if (!refusal) return null
  const where = `${nounOf(refusal.kind)} ${refusal.name ?? ''}`
  return (
    <ErrorNote
      className="mb-4"
      title={`Stopped at ${where}, after ${done} of ${total} steps`}
      errors={[`${refusal.error.message}. ${refusal.error.help}`]}
    />
  )
}

function Running({ task, cancelTo }: { task: Deletion; cancelTo: LinkTarget }) {
  const cancel = useOp(op.deletionCancel)
  return (
    <>
      <div className="grid max-w-2xl gap-3">
        <p className="text-muted">
          You can leave this page: the deletion continues, and stops at the first refusal.
        </p>
        <Progress label="Deletion" percent={(100 * task.done) / task.total} />
        <p role="status" className="wrap-anywhere tabular-nums">
          {progressText(task)}
        </p>
        {cancel.error && <ErrorNote errors={[failureText(cancel.error)]} />}
      </div>
      <Bar>
        <PageLink {...cancelTo} className={buttonClass({ size: 'lg', kind: 'quiet' })}>
          Leave
        </PageLink>
        <Button
          size="lg"
          pending={cancel.isPending}
          pendingLabel="Stopping"
          onClick={() => void cancel.run({ path: { deletionId: task.id } }).catch(shownInPlace)}
        >
          Stop deleting
        </Button>
      </Bar>
    </>
  )
}

const shownInPlace = (): void => {}

/** At the end of the page, as the buttons of a form. */
const Bar = ({ say, children }: { say?: string | undefined; children: ReactNode }) => (
  <Foot>
    <section
      aria-label="Deletion"
      className="flex min-h-16 flex-wrap items-center justify-end gap-2 bg-page px-gutter py-3 shadow-bar"
    >
      <p className="mr-auto text-sm text-muted max-sm:w-full">{say}</p>
      {children}
    </section>
  </Foot>
)

interface ReviewProps extends Props {
  plan: Plan
  onBegun: (deletionId: string) => void
  onStale: () => void
}

function Review({ plan, noun, object, onBegun, onStale, ...props }: ReviewProps) {
  const [typed, setTyped] = useState('')
  const create = useOp(op.deletionCreate)
  const blocked = plan.blockers.length > 0
  const [isForGood, setForGood] = useState(false)
  const isRecycled = plan.recycledHours > 0 && !isForGood
  const lost = lostText(plan, isRecycled)
  const settle = `Settle what is in the way first.`
  const input = { body: { kind: props.kind, objectId: object.id, hash: plan.hash, forGood: isForGood } }
  const whyNotAlone = useWhyNotAlone({ op: op.deletionCreate })
  const arePlansOffered = usePlansOffered()
  const whyNot = blocked
    ? settle
    : (whyNotAlone ?? (typed === object.name ? undefined : `Type ${object.name} to confirm.`))
  const begin = () =>
    create
      .run(input)
      .then(({ id }) => onBegun(id))
      // The world has moved: the page shows the new plan, below the reason.
      .catch(onStale)
  return (
    <>
      <p className="-mt-2 mb-4 max-w-3xl text-sm text-muted">
        {`Nothing has changed yet. This plan was made at ${formatTimeToSecond(plan.timeMade)} and is checked again when you delete.`}
      </p>
      {create.error && <ErrorNote className="mb-4" errors={[failureText(create.error)]} />}
      {whyNotAlone && !blocked && (
        <Note kind="busy" className="mb-4" title="A second person commits this">
          <p>{whyNotAlone}</p>
        </Note>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] 2xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <Blockers blockers={plan.blockers} onSettled={onStale} linkOf={props.linkOf} />
          <Tree plan={plan} isRecycled={isRecycled} />
        </div>
        <aside
          aria-label="What it means"
          className="divide-y divide-line rounded-block border border-line bg-sunken text-sm leading-5"
        >
          {plan.recycledHours > 0 && (
            <section className="grid gap-2 px-4 py-3">
              <h2 className="text-sm font-semibold text-strong">What can be restored</h2>
              <p>
                {isForGood
                  ? 'Nothing: it skips the recycle bin.'
                  : `What the recycle bin takes, for ${formatCount(plan.recycledHours, 'hour')}. Until then it counts towards the quota.`}
              </p>
              <Checkbox checked={isForGood} onChange={({ target }) => setForGood(target.checked)}>
                Delete for good at once
              </Checkbox>
            </section>
          )}
          <section className="grid gap-1 px-4 py-3">
            <h2 className="text-sm font-semibold text-strong">Cannot come back</h2>
            {lost.length > 0 ? (
              <ul className="list-['–__'] pl-4">
                {lost.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            ) : (
              <p>Nothing but the records.</p>
            )}
          </section>
          <section className="px-4 py-3">
            <Field
              label={`Type the ${noun}’s name`}
              hint="It becomes one task. It stops at the first refusal and says where."
            >
              <TextInput value={typed} onChange={({ target }) => setTyped(target.value)} />
            </Field>
          </section>
          {arePlansOffered && !blocked && (
            <section className="grid gap-2 px-4 py-3">
              <h2 className="text-sm font-semibold text-strong">Or let somebody else decide</h2>
              <SavePlan
                // What it would do is another plan with another choice.
                key={`${plan.hash} ${isForGood}`}
                asked={{ op: op.deletionCreate, input }}
                kind={whyNotAlone ? 'primary' : 'default'}
              />
            </section>
          )}
        </aside>
      </div>
      <Bar say={blocked ? settle : undefined}>
        <PageLink {...props.cancelTo} className={buttonClass({ size: 'lg' })}>
          Cancel
        </PageLink>
        <Button
          size="lg"
          kind="danger"
          disabledReason={whyNot}
          pending={create.isPending}
          pendingLabel="Deleting"
          onClick={() => void begin()}
        >
          {`Delete ${noun}`}
        </Button>
      </Bar>
    </>
  )
}

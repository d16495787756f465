// @chunk instances-dialogs: of actions on several instances, of which most lists show none.
import CircleCheck from 'lucide-react/icons/circle-check'
import OctagonX from 'lucide-react/icons/octagon-x'
import X from 'lucide-react/icons/x'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Foot } from '#/kit/list/foot.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { IconButton } from '#/ui/Button.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { Progress } from '#/ui/data/Progress.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { instanceLink } from '../links.ts'
import { hasEnded, type Run } from './shown-runs.ts'

interface Props {
  project: string | undefined
  runs: readonly Run[]
  onDismiss: (id: string) => void
}

/** Bulk runs and what became of each instance. */
export function RunCards({ project, runs, onDismiss }: Props) {
  return (
    <Foot>
      <section
        aria-label="Actions on several instances"
        className="-order-1 max-h-[40dvh] overflow-y-auto overscroll-contain border-t border-line bg-page px-gutter py-2"
      >
        <div className="grid max-w-page gap-2">
          {runs.map((run) => (
            <Card key={run.id} project={project} run={run} onDismiss={() => onDismiss(run.id)} />
          ))}
        </div>
      </section>
    </Foot>
  )
}

const words = {
  start: ['Starting', 'Started'],
  stop: ['Stopping', 'Stopped'],
  reboot: ['Rebooting', 'Rebooted'],
  delete: ['Deleting', 'Deleted'],
  create: ['Creating', 'Created'],
} as const

interface CardProps {
  project: string | undefined
  run: Run
  onDismiss: () => void
}

function Card({ project, run: { action, state, items }, onDismiss }: CardProps) {
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

const byId = (instance: string) => ({ to: '/lookup/i/$instance', params: { instance } }) as const

/** Failures first, because they need action. */
function Results({
  project,
  items,
  words,
}: {
  project: string | undefined
  items: Run['items']
  words: Record<'pending' | 'under_way' | 'done', string>
}) {
  const order = { failed: 0, under_way: 1, pending: 2, done: 3 }
  const sorted = [...items].sort((one, other) => order[one.state] - order[other.state])
  return (
    <ul className="max-h-40 space-y-1 overflow-y-auto overscroll-contain">
      {sorted.map(({ instance: { id, name }, state, error }) => (
        <li key={id ?? name} className="wrap-anywhere">
          {state === 'failed' && id !== null && name ? (
            <PageLink {...(project === undefined ? byId(id) : instanceLink(project, name))} className="name">
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

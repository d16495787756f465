import GripVertical from 'lucide-react/icons/grip-vertical'
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { Button, IconButton } from '#/ui/Button.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { Table } from '#/ui/data/Table.tsx'
import type { Column } from '#/ui/data/column.ts'
import { saySaved } from '#/kit/feedback/undo.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { loadAsking } from '#/kit/plan/load-asking.ts'
import { type Asked, movedPlan, needsSecond, type Plan, usePlansOffered } from '#/kit/plan/plan.ts'
import { pageWords, useUnsavedGuard } from '#/kit/forms/UnsavedGuard.tsx'
import { type Drop, followPointer } from './drag.ts'
import { moved, type Placed, placed } from './order.ts'
import { ruleOf } from './rule.ts'
import { ruleColumns } from './rule-columns.tsx'
import type { SeenRules } from './save.ts'
import { savedMessage, useSaveRules } from './use-save-rules.tsx'

const ReviewDialog = lazyPart(() => import('#/kit/plan/ReviewDialog.tsx'), 'ReviewDialog')

interface Props {
  project: string
  vpc: string
  /** The list when the user started. */
  seen: SeenRules
  onClose: () => void
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowUp: (at) => at - 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
}

interface Order {
  rules: readonly Placed[]
  /** Announces the last move to screen readers. */
  announcement: string
}
interface Move {
  name: string
  to: (at: number, last: number) => number
}

function reduce(order: Order, { name, to }: Move): Order {
  const { rules } = order
  const at = rules.findIndex((rule) => rule.name === name)
  const place = to(at, rules.length - 1)
  if (at < 0 || place < 0 || place >= rules.length || place === at) return order
  const next = moved(rules, at, place)
  const priority = next[place]?.priority
  return {
    rules: next,
    announcement: `${name} moved to position ${place + 1} of ${next.length}, priority ${priority}`,
  }
}

/** Reorders the rules by keyboard or by dragging. Sends nothing before the user saves. */
export function ReorderRules({ project, vpc, seen, onClose }: Props) {
  const save = useSaveRules(project, vpc)
  const [{ rules: order, announcement }, move] = useReducer(reduce, seen.rules, (rules) => ({
    rules: placed(rules),
    announcement: '',
  }))
  const place = useRef<HTMLDivElement>(null)
  // The button that opened this view is gone, so its focus would be lost.
  useEffect(() => place.current?.querySelector<HTMLElement>('tbody button')?.focus(), [])
  const [line, setLine] = useState<Drop['line']>()
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [review, setReview] = useState<{ asked: Asked; isMoved: boolean }>()
  const offersPlans = usePlansOffered()
  const changed = order.filter(({ priority, was }) => priority !== was)
  const guard = useUnsavedGuard(changed.length > 0, pageWords)
  const leave = () => guard.attempt(onClose)
  // Stable while the table is mounted, because new columns render every row.
  const columns = useMemo(() => columnsFor(seen, move, setLine), [seen])

  const changes = () =>
    seen.rules.flatMap((rule) => {
      const priority = changed.find(({ name }) => name === rule.name)?.priority
      return priority === undefined ? [] : [{ was: rule.name, rule: { ...ruleOf(rule), priority } }]
    })

  /** Saves at once, or asks what that would do, or does what this plan says. */
  const submit = async (step: 'save' | 'review' | Plan): Promise<void> => {
    setPending(true)
    setProblem(undefined)
    try {
      const asking = step === 'save' ? undefined : await loadAsking()
      if (asking && step === 'review') {
        setReview({ asked: await asking.askPlan((send) => save(seen, changes(), send)), isMoved: false })
        return setPending(false)
      }
      const saved = await save(
        seen,
        changes(),
        asking && typeof step === 'object' ? asking.committing(step) : undefined,
      )
      saySaved(savedMessage('Order of the firewall rules saved', saved))
      guard.release()
      onClose()
    } catch (error) {
      // The review says so, and offers to save the plan.
      if (step === 'save' && needsSecond(error)) return submit('review')
      const plan = movedPlan(error)
      if (plan)
        setReview((shown) => shown && { asked: { ...shown.asked, plan, time: new Date() }, isMoved: true })
      else {
        setReview(undefined)
        setProblem(failureText(asFailure(error)))
      }
      setPending(false)
    }
  }
  const whyNotYet = changed.length === 0 ? 'Move a rule first' : undefined

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape from anywhere inside.
    <div
      ref={place}
      onKeyDown={(event) => {
        // A dialog inside that closed on Escape has prevented the default.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        // Otherwise the browser would close the question that opens now.
        event.preventDefault()
        leave()
      }}
    >
      <div
        role="toolbar"
        aria-label="Reorder"
        className="mb-3 flex min-h-control flex-wrap items-center gap-2"
      >
        <p className="grow text-muted">
          {changed.length === 0
            ? 'Drag a rule by its handle, or move it with the arrow keys.'
            : `${formatCount(changed.length, 'rule')} with a new priority, not saved yet.`}
        </p>
        <Button onClick={leave}>Cancel</Button>
        {offersPlans && (
          <Button disabledReason={whyNotYet} disabled={isPending} onClick={() => void submit('review')}>
            Review
          </Button>
        )}
        <Button
          kind="primary"
          pending={isPending}
          pendingLabel="Saving order"
          disabledReason={whyNotYet}
          onClick={() => void submit('save')}
        >
          Save order
        </Button>
      </div>
      {problem && <ErrorNote errors={[problem]} className="mb-3" />}
      {/* A move while the order is being saved would be lost. */}
      <div inert={isPending}>
        <Table tight label="Firewall rules to reorder" columns={columns} rows={order} rowKey={nameOf} />
      </div>
      {line && (
        <div
          aria-hidden
          className="pointer-events-none fixed z-10 -mt-px h-0.75 rounded-full bg-accent-edge forced:bg-[Highlight]"
          style={line}
        />
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {review && (
        <ReviewDialog
          title="Order of the firewall rules"
          asked={review.asked}
          isMoved={review.isMoved}
          isPending={isPending}
          onCommit={() => void submit(review.asked.plan)}
          onSaved={() => {
            guard.release()
            onClose()
          }}
          onClose={() => setReview(undefined)}
        />
      )}
      {guard.dialog}
    </div>
  )
}

const nameOf = ({ name }: Placed): string => name

interface HandleProps {
  name: string
  onMove: (move: Move) => void
  onLine: (line: Drop['line'] | undefined) => void
}

function Handle({ name, onMove, onLine }: HandleProps) {
  const drag = (row: HTMLTableRowElement) => {
    const rows = () => [...(row.parentElement?.children ?? [])]
    followPointer({
      rows,
      from: rows().indexOf(row),
      onMove: (drop) => onLine(drop?.line),
      onEnd: (drop) => {
        onLine(undefined)
        if (drop) onMove({ name, to: () => drop.to })
      },
    })
  }
  return (
    <IconButton
      kind="quiet"
      label={`Move ${name}`}
      tip={false}
      aria-keyshortcuts="ArrowUp ArrowDown Home End"
      className="-ml-1 size-7! cursor-grab touch-none active:cursor-grabbing coarse:size-11!"
      onKeyDown={(event) => {
        const to = steps[event.key]
        if (!to) return
        event.preventDefault()
        onMove({ name, to })
      }}
      onPointerDown={(event) => {
        const row = event.currentTarget.closest('tr')
        if (event.button !== 0 || !row) return
        event.currentTarget.focus()
        // Otherwise the browser would start a text selection.
        event.preventDefault()
        drag(row)
      }}
    >
      <GripVertical aria-hidden className="size-4" />
    </IconButton>
  )
}

function columnsFor(
  seen: SeenRules,
  onMove: HandleProps['onMove'],
  onLine: HandleProps['onLine'],
): Column<Placed>[] {
  const rules = new Map(seen.rules.map((rule) => [rule.name, rule]))
  return [
    {
      id: 'handle',
      header: <span className="sr-only">Move</span>,
      part: 'select',
      cell: ({ name }) => <Handle name={name} onMove={onMove} onLine={onLine} />,
    },
    {
      id: 'name',
      header: 'Name',
      part: 'name',
      cell: ({ name }) => <span className="font-medium text-strong">{name}</span>,
    },
    {
      id: 'priority',
      header: 'Priority',
      align: 'right',
      cell: ({ priority, was }) => <Priority now={priority} was={was} />,
    },
    ...ruleColumns<Placed>(({ name }) => rules.get(name)),
  ]
}

function Priority({ now, was }: { now: number; was: number }) {
  if (now === was) return now
  return (
    <>
      <del className="text-muted">{was}</del>{' '}
      <ins className="font-semibold text-strong no-underline">{now}</ins>
    </>
  )
}

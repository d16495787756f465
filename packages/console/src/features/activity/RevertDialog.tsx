import * as op from '@gantry/api/client/operations.gen'
import { activityWords } from '@gantry/api/history/activity.rules'
import type { OutputOf } from '@gantry/api/client/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { fieldText, labelOf } from '#/kit/page/difference-words.ts'
import { kindWord } from '#/kit/page/stored-values.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import type { ActivityEntry } from './queries.ts'
import { effectsOf, sentenceOf } from './words.ts'

type Plan = OutputOf<'activityRevertView'>
type Step = Plan['steps'][number]
type Field = Step['edits'][number]

/** Shows what reverting an entry does before it does it, and what others changed since. */
export function RevertDialog({ entry, onClose }: { entry: ActivityEntry; onClose: () => void }) {
  const path = { entryId: entry.id }
  const { data: plan, error } = useQuery(opQuery(op.activityRevertView, { path }))
  const [kept, setKept] = useState<readonly string[]>([])
  const revert = useOp(op.activityRevert)
  const { before, name, after } = sentenceOf(entry)
  const whyNot = error ? failureText(error) : plan?.whyNot
  return (
    <DialogForm
      title="Revert"
      submitLabel="Revert"
      pendingLabel="Reverting"
      disabled={whyNot ?? undefined}
      initial={{}}
      save={(_, send) => revert.run({ path, body: { hash: plan?.hash ?? '', keep: [...kept] } }, send)}
      saved={() => 'Reverted'}
      onClose={onClose}
    >
      <p>
        {before}
        <strong className="wrap-anywhere">{name}</strong>
        {after}. {plan && plan.steps.length > 0 && 'Nothing has changed yet; reverting it does this:'}
      </p>
      {!plan && !error && <Skeleton className="h-16 w-full" />}
      {plan?.steps.map((step) => (
        <StepView
          key={step.id}
          step={step}
          kept={kept}
          onKeep={(field, isKept) =>
            setKept(isKept ? [...kept, field] : kept.filter((each) => each !== field))
          }
        />
      ))}
      {plan && plan.lost.length > 0 && (
        <p className="text-muted">
          {`Does not come back: ${effectsOf({ changes: [firstOf(entry), ...plan.lost], changeCount: 0, outcome: 'done' }).join(' ')}`}
        </p>
      )}
    </DialogForm>
  )
}

/** An effect is told apart from what the entry is about. */
const firstOf = ({ changes: [lead] }: ActivityEntry) => {
  if (!lead) throw new Error('an entry has a change')
  return lead
}

interface StepProps {
  step: Step
  kept: readonly string[]
  onKeep: (field: string, isKept: boolean) => void
}

function StepView({ step, kept, onKeep }: StepProps) {
  if (step.edits.length === 0) {
    const { done } = activityWords[step.action]
    const to = step.action === 'detached' ? 'from' : 'to'
    return (
      <p className="font-medium text-strong">
        {`${done} ${kindWord(step.kind)} ${step.name ?? ''}${step.other ? ` ${to} instance ${step.other.name}` : ''}`}
      </p>
    )
  }
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 rounded-r-control border-l-3 border-dashed border-control-line bg-sunken px-3 py-2 text-sm leading-5 sm:grid-cols-[max-content_minmax(0,1fr)]">
      {step.edits.map((field) => (
        <FieldView
          key={field.field}
          field={field}
          isKept={kept.includes(field.field)}
          onKeep={(isKept) => onKeep(field.field, isKept)}
        />
      ))}
    </dl>
  )
}

interface FieldProps {
  field: Field
  isKept: boolean
  onKeep: (isKept: boolean) => void
}

function FieldView({ field, isKept, onKeep }: FieldProps) {
  const made = fieldText(field.field, field.made)
  const now = fieldText(field.field, field.now)
  const back = fieldText(field.field, field.back)
  return (
    <>
      <dt className="text-muted">{field.label ?? labelOf(field.field)}</dt>
      <dd className="min-w-0 wrap-anywhere">
        <span className="flex flex-wrap gap-x-3">
          <del className="text-muted no-underline">
            <span aria-hidden>– </span>
            {now === '' ? <EmptyCell /> : <span className={isKept ? undefined : 'line-through'}>{now}</span>}
          </del>
          {!isKept && (
            <ins className="font-medium text-strong no-underline">
              <span aria-hidden>+ </span>
              {back === '' ? 'none' : back}
            </ins>
          )}
        </span>
        {field.isChangedSince && (
          <span className="mt-1 grid gap-1">
            <span className="text-muted">
              {`Changed again since: the entry made it ${made === '' ? 'empty' : `“${made}”`}.`}
            </span>
            <Checkbox checked={isKept} onChange={({ target }) => onKeep(target.checked)}>
              Keep what it is now
            </Checkbox>
          </span>
        )}
      </dd>
    </>
  )
}

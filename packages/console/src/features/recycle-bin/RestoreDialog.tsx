import * as op from '@gantry/api/client/operations.gen'
import { useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { NameField } from '#/kit/forms/fields.tsx'
import { kindWord } from '#/kit/page/stored-values.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Outcome, RestoreNotYet } from './outcome.tsx'
import { type RecycledItem, type RestorePlan, restorePlan } from './queries.ts'
import { useFirst } from './use-first.ts'
import { namesOf } from './words.ts'

interface Props {
  item: RecycledItem
  onClose: () => void
}

/** Shows what comes back, what is different then, and what cannot come back, before anything does. */
export function RestoreDialog({ item, onClose }: Props) {
  const { data: plan, error } = useFirst(restorePlan(item.id))
  const whyNot = error ? failureText(error) : plan?.whyNot
  if (!plan || whyNot)
    return (
      <RestoreNotYet
        title={`Restore ${kindWord(item.kind)}`}
        name={item.name}
        whyNot={whyNot}
        onClose={onClose}
      />
    )
  return <Planned item={item} plan={plan} onClose={onClose} />
}

function Planned({ item, plan, onClose }: Props & { plan: RestorePlan }) {
  const [isWhole, setWhole] = useState(true)
  const restore = useOp(op.recycledItemRestore)
  const { together, togetherCount, steps } = plan
  const word = kindWord(item.kind)
  const isRenamed = plan.name !== item.name
  return (
    <DialogForm
      title={`Restore ${word}`}
      submitLabel="Restore"
      pendingLabel="Restoring"
      initial={{ name: plan.name }}
      save={({ name }, send) =>
        restore.run(
          {
            path: { itemId: item.id },
            body: { name, together: isWhole ? together.map(({ id }) => id) : [] },
          },
          send,
        )
      }
      saved={({ name }) => successMessage(word, name, 'restored')}
      onClose={onClose}
    >
      <p>
        Restore {word} <strong className="wrap-anywhere">{item.name}</strong>? Nothing has changed yet.
      </p>
      {isRenamed && <p className="text-muted">The name {item.name} has been taken meanwhile.</p>}
      <NameField name="name" />
      {togetherCount > 0 && (
        <div className="grid gap-1">
          <Checkbox checked={isWhole} onChange={({ target }) => setWhole(target.checked)}>
            {`Also restore what belongs to it: ${namesOf(together, togetherCount)}`}
          </Checkbox>
          {togetherCount > together.length && (
            <p className="text-sm text-muted">
              {`The last ${together.length} come back with it. Restore the others afterwards.`}
            </p>
          )}
        </div>
      )}
      <div className="grid gap-3 text-sm">
        <Outcome title="Comes back" steps={isWhole ? steps.filter(is('back')) : steps.filter(isOwn(plan))} />
        <Outcome title="Comes back changed" steps={steps.filter(is('changed'))} />
        <Outcome title="Cannot come back" steps={steps.filter(is('lost'))} />
      </div>
    </DialogForm>
  )
}

type Step = RestorePlan['steps'][number]

const is =
  (outcome: Step['outcome']) =>
  (step: Step): boolean =>
    step.outcome === outcome

/** What comes back even if nothing else is restored with it. */
const isOwn =
  ({ together }: RestorePlan) =>
  ({ id, outcome }: Step): boolean =>
    outcome === 'back' && !together.some(({ objectId }) => objectId === id)

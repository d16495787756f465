import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { NameField } from '#/kit/forms/fields.tsx'
import { setTasksOpen } from '#/kit/page/tasks-open.ts'
import { kindWord } from '#/kit/page/stored-values.ts'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { Outcome, RestoreNotYet } from './outcome.tsx'
import { type RecycledItem, restorationPlan, type RestorationPlan } from './queries.ts'
import { useFirst } from './use-first.ts'

interface Props {
  deletion: NonNullable<RecycledItem['deletion']>
  onClose: () => void
}

/** Shows what of everything that one deletion took comes back, and begins the task that brings it back. */
export function RestoreWholeDialog({ deletion, onClose }: Props) {
  const { data: plan, error } = useFirst(restorationPlan(deletion.id))
  const whyNot = error ? failureText(error) : plan?.whyNot
  const word = kindWord(deletion.kind)
  if (!plan || whyNot)
    return <RestoreNotYet title={`Restore ${word}`} name={deletion.name} whyNot={whyNot} onClose={onClose} />
  return <Planned plan={plan} word={word} onClose={onClose} />
}

function Planned({ plan, word, onClose }: { plan: RestorationPlan; word: string; onClose: () => void }) {
  const create = useOp(op.restorationCreate)
  const { deletionId, object, name, items, tried, kinds, steps, refused } = plan
  const isRenamed = name !== null && name !== object.name
  const told = formatSeries(kinds.map(({ kind, count }) => formatCount(count, kindWord(kind))))
  return (
    <DialogForm
      title={`Restore ${word}`}
      submitLabel="Restore"
      pendingLabel="Beginning"
      initial={name === null ? {} : { name }}
      save={({ name: wanted }: { name?: string }, send) =>
        create.run({ body: { deletionId, ...(wanted !== undefined && { name: wanted }) } }, send)
      }
      // How far it is, the tasks say.
      onSaved={() => setTasksOpen(true)}
      onClose={onClose}
    >
      <p>
        {name === null ? `Restore what was deleted of ${word} ` : `Restore ${word} `}
        <strong className="wrap-anywhere">{object.name}</strong>
        {name === null ? '?' : ' with everything that was deleted with it?'} Nothing has changed yet.
      </p>
      {isRenamed && <p className="text-muted">The name {object.name} has been taken meanwhile.</p>}
      {name !== null && <NameField name="name" />}
      <div className="grid gap-3 text-sm">
        <section>
          <h3 className="mb-1 font-semibold text-strong">Comes back</h3>
          <p>{told}</p>
        </section>
        <Outcome title="Comes back changed" steps={steps.filter(({ outcome }) => outcome === 'changed')} />
        <Outcome title="Cannot come back" steps={steps.filter(({ outcome }) => outcome === 'lost')} />
        <Outcome
          title="Stays in the recycle bin"
          steps={refused.map(({ kind, id, name: own, error }) => ({
            kind,
            id,
            name: own ?? '',
            outcome: 'lost',
            detail: `${error.message}. ${error.help}`,
          }))}
        />
        <p className="text-muted">
          {tried < items &&
            `The first ${formatCount(tried, 'object')} of ${items.toLocaleString('en-US')} were tried. `}
          It becomes one task. What cannot come back stays in the recycle bin, and the task says why.
        </p>
      </div>
    </DialogForm>
  )
}

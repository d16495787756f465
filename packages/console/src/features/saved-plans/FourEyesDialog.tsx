// @chunk apart: a form, which the list of plans opens for few.
import * as op from '@gantry/api/client/operations.gen'
import { type FourEyesKind, fourEyesKinds, fourEyesWords } from '@gantry/api/history/four-eyes.rules'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { fourEyesSettings } from './queries.ts'

interface Props {
  kinds: readonly FourEyesKind[]
  onClose: () => void
}

/** What the silo demands a second person for. */
export function FourEyesDialog({ kinds, onClose }: Props) {
  const update = useOp(op.fourEyesSettingsUpdate, { seeds: () => fourEyesSettings })
  const initial = Object.fromEntries(fourEyesKinds.map((kind) => [kind, kinds.includes(kind)])) as Record<
    FourEyesKind,
    boolean
  >
  return (
    <DialogForm
      title="Four eyes"
      submitLabel="Save"
      pendingLabel="Saving"
      initial={initial}
      save={(values, send) =>
        update.run({ body: { kinds: fourEyesKinds.filter((kind) => values[kind]) } }, send)
      }
      saved={() => 'Four eyes updated'}
      reviewable
      onClose={onClose}
    >
      <p className="text-muted">
        Who changes something chosen here saves a plan, and somebody else commits it. Programs are refused,
        too, and told how. Once anything is chosen, this setting needs a second person as well.
      </p>
      <fieldset className="grid gap-2">
        <legend className="sr-only">Changes that need a second person</legend>
        {fourEyesKinds.map((kind) => (
          <CheckboxField key={kind} name={kind}>
            {sentenceCase(fourEyesWords[kind])}
          </CheckboxField>
        ))}
      </fieldset>
    </DialogForm>
  )
}

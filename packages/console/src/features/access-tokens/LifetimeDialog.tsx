import * as op from '@gantry/api/client/operations.gen'
import { useFormContext, useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField, NumberField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { lifetimeOf, lifetimeProblem, type LifetimeUnit, secondsOf } from './lifetime.ts'
import { authSettings } from './queries.ts'
import { UnitField } from './UnitField.tsx'

interface Props {
  /** The current setting; null means no limit. */
  seconds: number | null
  onClose: () => void
}

interface Values {
  isLimited: boolean
  amount: number | null
  unit: LifetimeUnit
}

/** Sets the longest lifetime of the silo's tokens. */
export function LifetimeDialog({ seconds, onClose }: Props) {
  const update = useOp(op.authSettingsUpdate, { sees: authSettings })
  const initial: Values = { isLimited: seconds !== null, ...lifetimeOf(seconds ?? defaultSeconds) }
  return (
    <DialogForm
      title="Edit maximum lifetime"
      submitLabel="Save"
      pendingLabel="Saving"
      initial={initial}
      check={(values): { amount?: string } => {
        const problem = values.isLimited ? lifetimeProblem(values.amount, values.unit) : undefined
        return problem === undefined ? {} : { amount: problem }
      }}
      save={(values, send) =>
        update.run(
          {
            body: {
              deviceTokenMaxTtlSeconds: values.isLimited
                ? secondsOf({ amount: values.amount ?? 0, unit: values.unit })
                : null,
            },
          },
          send,
        )
      }
      saved={() => 'Maximum token lifetime updated'}
      onClose={onClose}
    >
      <p className="text-muted">Existing tokens keep their expiry. Without a limit, tokens last 30 days.</p>
      <CheckboxField name="isLimited">Limit access token lifetime</CheckboxField>
      <Limit />
    </DialogForm>
  )
}

/** The suggested value where none is set: 30 days. */
const defaultSeconds = 2_592_000

function Limit() {
  const { control } = useFormContext<{ isLimited: boolean }>()
  const isLimited = useWatch({ control, name: 'isLimited' })
  if (!isLimited) return null
  return (
    <div className="flex flex-wrap items-start gap-3">
      <NumberField name="amount" label="Maximum lifetime" min={1} />
      <UnitField />
    </div>
  )
}

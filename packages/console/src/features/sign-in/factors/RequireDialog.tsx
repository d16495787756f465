import * as op from '@gantry/api/client/operations.gen'
import type { SecondFactorRule } from '@gantry/api/people/second-factor.rules'
import { useOp } from '#/data/use-op.ts'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { siloSecondFactor } from './queries.ts'

const options = [
  { value: 'optional', label: 'Optional: each user decides' },
  { value: 'required', label: 'Required: users without one set it up at sign-in' },
] as const

/** Whether the silo requires a second factor of all users. */
export function RequireDialog({ rule, onClose }: { rule: SecondFactorRule; onClose: () => void }) {
  const update = useOp(op.secondFactorSettingsUpdate, {
    sees: siloSecondFactor,
  })
  return (
    <DialogForm
      title="Edit second factor"
      submitLabel="Save"
      pendingLabel="Saving"
      initial={{ secondFactor: rule }}
      save={(body, send) => update.run({ body }, send)}
      saved={() => 'Second factor requirement updated'}
      onClose={onClose}
    >
      <p className="text-muted">
        Open sessions continue. Access tokens and identity providers are not affected.
      </p>
      <RadioField name="secondFactor" label="Second factor" options={options} column />
    </DialogForm>
  )
}

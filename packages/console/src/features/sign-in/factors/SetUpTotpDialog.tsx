import * as op from '@gantry/api/client/operations.gen'
import type { OutputOf } from '@gantry/api/client/client'
import { useOp } from '#/data/use-op.ts'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { useTextField } from '#/kit/forms/fields.tsx'
import { TotpSecret } from './set-up-parts.tsx'

interface Props {
  begun: OutputOf<'totpSetUp'>
  onAdded: (codes: readonly string[]) => void
  onClose: () => void
}

/** Shows the secret. The factor takes effect with the first valid code, which proves that the app has the secret. */
export function SetUpTotpDialog({ begun, onAdded, onClose }: Props) {
  const create = useOp(op.totpCreate)
  return (
    <DialogForm
      title="Set up authenticator app"
      submitLabel="Set up"
      pendingLabel="Checking"
      initial={{ code: '' }}
      save={(body) => create.run({ body })}
      saved={() => 'Authenticator app set up'}
      onSaved={({ recoveryCodes }) => recoveryCodes && onAdded(recoveryCodes)}
      onClose={onClose}
    >
      <TotpSecret {...begun} />
      <CodeField />
    </DialogForm>
  )
}

function CodeField() {
  const { input, error } = useTextField('code', (code) =>
    code.trim() === '' ? 'Code is required' : undefined,
  )
  return (
    <Field label="Code" hint="The six digits currently shown in the app." error={error}>
      <TextInput
        {...input}
        mono
        data-initial-focus
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={64}
      />
    </Field>
  )
}

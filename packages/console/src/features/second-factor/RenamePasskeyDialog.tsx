import * as op from '@gantry/api/client/operations.gen'
import { passkeyNameProblem } from '@gantry/api/second-factor.rules'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { TextField } from '#/features/common/forms/fields.tsx'
import type { Passkey } from './queries.ts'

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const update = useOp(op.passkeyUpdate)
  return (
    <DialogForm
      title="Rename passkey"
      submitLabel="Rename"
      pendingLabel="Renaming"
      initial={{ name: passkey.name }}
      save={(body) => update.run({ path: { passkeyId: passkey.id }, body })}
      saved={() => 'Passkey renamed'}
      onClose={onClose}
    >
      <TextField name="name" problem={passkeyNameProblem} />
    </DialogForm>
  )
}

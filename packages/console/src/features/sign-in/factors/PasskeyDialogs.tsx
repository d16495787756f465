import * as op from '@gantry/api/client/operations.gen'
import { passkeyNameProblem } from '@gantry/api/people/second-factor.rules'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { browserName } from '#/features/sessions/browser-name.ts'
import { makePasskey } from './browser-passkeys.ts'
import type { Passkey } from './queries.ts'

interface Props {
  /** The recovery codes, if this is the first factor. */
  onAdded: (codes: readonly string[]) => void
  onClose: () => void
}

/** Names a passkey, and creates it with an authenticator. */
export function AddPasskeyDialog({ onAdded, onClose }: Props) {
  const begin = useOp(op.passkeySetUp)
  const create = useOp(op.passkeyCreate)
  return (
    <DialogForm
      title="Add passkey"
      submitLabel="Add passkey"
      pendingLabel="Waiting for your device"
      initial={{ name: browserName(navigator.userAgent) }}
      save={async ({ name }) => create.run({ body: { name, ...(await makePasskey(await begin.run({}))) } })}
      saved={() => 'Passkey added'}
      onSaved={({ recoveryCodes }) => recoveryCodes && onAdded(recoveryCodes)}
      onClose={onClose}
    >
      <p className="text-muted">
        Your browser will ask where to save the passkey: on this device, a phone or a security key.
      </p>
      <TextField name="name" hint="A name to tell your passkeys apart." problem={passkeyNameProblem} />
    </DialogForm>
  )
}

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

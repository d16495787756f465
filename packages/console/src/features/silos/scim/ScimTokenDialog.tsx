// @chunk apart: opened for each new token, of which a silo has few.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { SecretDialog } from '#/ui/overlays/SecretDialog.tsx'
import { SecretText } from '#/ui/SecretText.tsx'

interface Props {
  silo: string
  onMade: (token: string) => void
  onClose: () => void
}

export function ScimTokenDialog({ silo, onMade, onClose }: Props) {
  const create = useOp(op.scimTokenCreate)
  return (
    <DialogForm<object, OutputOf<'scimTokenCreate'>>
      title="Create SCIM token"
      submitLabel="Create"
      pendingLabel="Creating"
      initial={{}}
      save={(_, send) => create.run({ query: { silo } }, send)}
      saved={() => 'SCIM token created'}
      onSaved={({ bearerToken }) => onMade(bearerToken)}
      onClose={onClose}
    >
      <p>
        Whoever has the token manages the users and groups of this silo, and can make anyone its administrator
        by way of a group. Give it to your identity provider only.
      </p>
    </DialogForm>
  )
}

/** Shows a new token, this once. Only `Done` closes it, so that no stray click loses it. */
export function ScimTokenMade({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <SecretDialog title="SCIM token created" onClose={onClose}>
      <SecretText label="SCIM token" text={token} />
      <Note kind="busy">Copy it now. It is not shown again.</Note>
      <p className="text-muted">Enter it at the identity provider, together with this address:</p>
      <SecretText label="SCIM address" text={`${location.origin}/scim/v2`} />
    </SecretDialog>
  )
}

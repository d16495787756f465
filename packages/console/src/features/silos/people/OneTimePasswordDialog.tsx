import { SecretDialog } from '#/ui/overlays/SecretDialog.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { SecretText } from '#/ui/SecretText.tsx'
import type { Issued } from './queries.ts'

/** Shows a one-time password, which is never shown again. Only `Done` closes it, so that no stray click loses it. */
export function OneTimePasswordDialog({ silo, name, password, onClose }: Issued & { onClose: () => void }) {
  return (
    <SecretDialog title="One-time password" onClose={onClose}>
      <p>
        Give this password to <strong>{name}</strong> of silo <strong>{silo}</strong>. It works for one
        sign-in, at which they must choose their own.
      </p>
      <SecretText label="One-time password" text={password} />
      <Note kind="busy">Copy it now. It is not shown again.</Note>
    </SecretDialog>
  )
}

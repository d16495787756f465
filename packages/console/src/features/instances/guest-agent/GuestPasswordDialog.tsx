import * as op from '@gantry/api/client/operations.gen'
import { guestPasswordProblem, guestUserProblem } from '@gantry/api/compute/guest-agent.rules'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { PasswordField } from '#/kit/inputs/PasswordField.tsx'
import { instanceAt } from '../queries.ts'

interface Props {
  project: string
  instance: string
  onClose: () => void
}

/** Sets a password inside the guest; it is kept nowhere else. */
export function GuestPasswordDialog({ project, instance, onClose }: Props) {
  const set = useOp(op.instanceGuestPasswordSet)
  return (
    <DialogForm
      title="Set password in the guest"
      submitLabel="Set password"
      pendingLabel="Setting password"
      initial={{ user: 'root', password: '' }}
      save={(body, send) => set.run({ ...instanceAt(project, instance), body }, send)}
      saved={() => successMessage('Password in', instance, 'set')}
      onClose={onClose}
    >
      <p>The guest agent sets it. It is not stored here, and the audit log names only the user.</p>
      <TextField
        name="user"
        label="User in the guest"
        problem={(user) => prefixed('The name', guestUserProblem(user))}
      />
      <PasswordField
        name="password"
        label="New password"
        autoComplete="new-password"
        problem={(password) => prefixed('The password', guestPasswordProblem(password))}
      />
    </DialogForm>
  )
}

const prefixed = (what: string, problem: string | undefined): string | undefined =>
  problem && `${what} ${problem}.`

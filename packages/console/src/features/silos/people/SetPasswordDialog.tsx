import * as op from '@gantry/api/client/operations.gen'
import { capitalise } from '@gantry/api/base/errors.rules'
import { passwordMinLength, passwordProblem } from '@gantry/api/people/password.rules'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { PasswordField } from '#/kit/inputs/PasswordField.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { User } from './use-person-actions.tsx'

interface Props {
  silo: string
  user: User
  onClose: () => void
}

/** Sets a password that the administrator knows; unlike a one-time password it remains valid. */
export function SetPasswordDialog({ silo, user, onClose }: Props) {
  const set = useOp(op.localIdpUserSetPassword)
  return (
    <DialogForm
      title="Set password"
      submitLabel="Set password"
      pendingLabel="Setting password"
      initial={{ password: '' }}
      save={({ password }, send) =>
        set.run(
          {
            path: { userId: user.id },
            query: { silo },
            body: { mode: 'password', value: password },
          },
          send,
        )
      }
      saved={() => successMessage('Password of', user.name, 'set')}
      onClose={onClose}
    >
      <p>
        All sessions of <strong>{user.name}</strong> end, and their access tokens are deleted.
      </p>
      <PasswordField
        name="password"
        label="New password"
        autoComplete="new-password"
        hint={`At least ${passwordMinLength} characters. Several unrelated words work well.`}
        problem={(password) => {
          const problem = passwordProblem(password, [user.name, silo])
          return problem && `${capitalise(problem)}.`
        }}
      />
    </DialogForm>
  )
}

import * as op from '@gantry/api/client/operations.gen'
import { capitalise } from '@gantry/api/base/errors.rules'
import { passwordMinLength, passwordProblem } from '@gantry/api/people/password.rules'
import { useCurrentUser } from '#/data/current-user.ts'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { PasswordField } from '#/kit/inputs/PasswordField.tsx'

/** Requires the old password, so that an open browser is not enough to lock users out of their account. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { displayName, siloName } = useCurrentUser()
  const change = useOp(op.currentUserPasswordChange)
  const newProblem = (password: string): string | undefined => {
    const problem = passwordProblem(password, [displayName, siloName])
    return problem && `${capitalise(problem)}.`
  }
  return (
    <DialogForm
      title="Change password"
      submitLabel="Change password"
      pendingLabel="Changing"
      initial={{ oldPassword: '', password: '', again: '' }}
      check={({ password, again }): { again?: string } =>
        again === password ? {} : { again: 'The passwords do not match.' }
      }
      save={({ oldPassword, password }, send) => change.run({ body: { oldPassword, password } }, send)}
      saved={() => 'Password changed. Your other sessions ended and your access tokens were deleted.'}
      fieldOf={({ message }) => (message.includes('"old_password"') ? 'oldPassword' : undefined)}
      onClose={onClose}
    >
      <PasswordField name="oldPassword" label="Current password" autoComplete="current-password" />
      <PasswordField
        name="password"
        label="New password"
        autoComplete="new-password"
        hint={`At least ${passwordMinLength} characters. Several unrelated words work well.`}
        problem={newProblem}
      />
      <PasswordField name="again" label="Confirm new password" autoComplete="new-password" />
    </DialogForm>
  )
}

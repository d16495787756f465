import * as op from '@gantry/api/client/operations.gen'
import { useCurrentUser } from '#/data/current-user.ts'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction, confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { Silo } from '../queries.ts'
import { showPassword } from './issued.ts'
import { hasPeople, type Person } from './queries.ts'

export interface User {
  id: string
  name: string
}

interface Follow {
  onSetPassword: (user: User) => void
  onChangeRole: (user: User) => void
}

/** The actions for a user. Passwords and deletion apply only to users that the silo itself manages. */
export function usePersonActions(silo: Silo, follow: Follow): ActionsOf<Person> {
  const { onSetPassword, onChangeRole } = follow
  const me = useCurrentUser()
  const whyNotRole = useWhyNot({ action: 'modify', object: 'silo', id: silo.name })
  const reset = useOp(op.userPasswordReset)
  const setPassword = useOp(op.localIdpUserSetPassword)
  const end = useOp(op.userSessionsEnd)
  const logOut = useOp(op.userLogout)
  const remove = useOp(op.localIdpUserDelete)
  const query = { silo: silo.name }
  const at = ({ id }: Person) => ({ path: { userId: id }, query })

  const askReset = (user: Person): void =>
    confirmAction({
      title: 'Confirm reset password',
      content: (
        <p>
          <strong>{user.displayName}</strong> gets a one-time password. Their current password stops working,
          their sessions end, and their access tokens are deleted.
        </p>
      ),
      kind: 'danger',
      confirmLabel: 'Reset',
      pendingLabel: 'Resetting',
      errorTitle: 'Could not reset password',
      success: successMessage('Password of', user.displayName, 'reset'),
      run: async () => {
        const { password } = await reset.run(at(user))
        showPassword({ silo: silo.name, name: user.displayName, password })
      },
    })

  const askDisallow = (user: Person): void =>
    confirmAction({
      title: 'Confirm remove password',
      content: (
        <p>
          <strong>{user.displayName}</strong> can no longer sign in with a password until you set or reset it.
          Their sessions end, and their access tokens are deleted.
        </p>
      ),
      kind: 'danger',
      errorTitle: 'Could not remove password',
      success: successMessage('Password of', user.displayName, 'removed'),
      run: () => setPassword.run({ ...at(user), body: { mode: 'login_disallowed' } }),
    })

  const askEnd = (user: Person): void =>
    confirmAction({
      title: 'Confirm end sessions',
      content: (
        <p>
          All sessions of <strong>{user.displayName}</strong> end, and their access tokens are deleted.
        </p>
      ),
      kind: 'danger',
      errorTitle: 'Could not end sessions',
      success: successMessage('Sessions of', user.displayName, 'ended'),
      run: () => (hasPeople() ? end.run(at(user)) : logOut.run({ path: { userId: user.id } })),
    })

  return (user) => {
    const self = user.id === me.id
    const whyNotSelf = self ? 'Change your own password in your profile' : undefined
    const { displayName: name } = user
    const changeRole = {
      label: 'Change silo role',
      disabled: whyNotRole,
      onSelect: () => onChangeRole({ id: user.id, name }),
    }
    const lacksReset = hasPeople()
      ? undefined
      : 'This server has no one-time passwords. Set a password instead.'
    const isElsewhere = !hasPeople() && user.siloId !== me.siloId
    const endSessions = {
      label: 'End sessions',
      disabled: isElsewhere ? 'This server ends sessions in your own silo only' : undefined,
      onSelect: () => askEnd(user),
    }
    if (silo.identityMode !== 'local_only') return [changeRole, endSessions]
    return [
      changeRole,
      { label: 'Reset password', disabled: whyNotSelf ?? lacksReset, onSelect: () => askReset(user) },
      { label: 'Set password', disabled: whyNotSelf, onSelect: () => onSetPassword({ id: user.id, name }) },
      {
        label: 'Remove password',
        disabled: whyNotSelf ?? (user.password === 'none' ? `${name} has none` : undefined),
        onSelect: () => askDisallow(user),
      },
      endSessions,
      {
        label: 'Delete',
        disabled: self ? 'You cannot delete yourself' : undefined,
        onSelect: () =>
          confirmDelete({
            kind: 'user',
            name,
            gone: 'Their sessions, access tokens and SSH keys are deleted with them.',
            run: () => remove.run(at(user)),
          }),
      },
    ]
  }
}

import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#/data/current-user.ts'
import { useOp } from '#/data/use-op.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { secondFactorsOf } from './queries.ts'

/** A user's second factors, where an administrator can remove lost ones. */
export function UserSecondFactorsCard({ id, name }: { id: string; name: string }) {
  const { id: ownId } = useCurrentUser()
  const { data } = useQuery(secondFactorsOf(id))
  const reset = useOp(op.userSecondFactorReset)
  // Neither users of an identity provider nor servers without second factors have any.
  if (!data) return null
  const { passkeys, totp, recoveryCodesLeft } = data
  const has = [
    ...(passkeys > 0 ? [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`] : []),
    ...(totp ? ['authenticator app'] : []),
    ...(recoveryCodesLeft > 0 ? [`${recoveryCodesLeft} recovery codes`] : []),
  ]
  const ask = (): void =>
    confirmAction({
      title: 'Confirm reset second factors',
      content: (
        <p>
          The passkeys, authenticator app and recovery codes of <strong>{name}</strong> will stop working, and
          all their sessions end. The password does not change.
        </p>
      ),
      kind: 'danger',
      confirmLabel: 'Reset',
      pendingLabel: 'Resetting',
      errorTitle: 'Could not reset second factors',
      success: successMessage('Second factors of', name, 'reset'),
      run: () => reset.run({ path: { userId: id } }),
    })
  return (
    <Card
      title="Second factors"
      actions={
        <Button
          disabledReason={
            id === ownId
              ? 'Change your own second factors in your settings'
              : has.length === 0 && `${name} has none`
          }
          onClick={ask}
        >
          Reset
        </Button>
      }
    >
      <p className={has.length === 0 ? 'text-muted' : undefined}>
        {has.length === 0 ? 'None' : has.join(', ')}
      </p>
    </Card>
  )
}

import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { hasFactor, type SecondFactors } from './queries.ts'
import { useConfirmed } from './use-confirmed.tsx'

interface Props {
  factors: SecondFactors
  onCodes: (codes: readonly string[]) => void
}

/** How many recovery codes are left. */
export function RecoveryCard({ factors, onCodes }: Props) {
  const renew = useOp(op.recoveryCodesCreate)
  const { confirmed, dialog } = useConfirmed()
  const left = factors.recoveryCodesLeft
  const ask = (): void =>
    confirmAction({
      title: 'Confirm new recovery codes',
      content: <p>Your current codes will stop working.</p>,
      confirmLabel: 'Generate codes',
      pendingLabel: 'Generating codes',
      errorTitle: 'Could not generate recovery codes',
      success: 'Recovery codes generated',
      run: async () => onCodes((await renew.run({})).codes),
    })
  return (
    <Card
      title="Recovery codes"
      description="Each code signs you in once if you lose your second factor."
      actions={
        <Button
          disabledReason={
            hasFactor(factors)
              ? undefined
              : 'Set up a passkey or an authenticator app first. Recovery codes are generated with it.'
          }
          onClick={() => confirmed(ask)}
        >
          New codes
        </Button>
      }
    >
      {hasFactor(factors) ? (
        <p>
          <span className="text-strong tabular-nums">{left}</span> {left === 1 ? 'code' : 'codes'} left
        </p>
      ) : (
        <p className="text-muted">None</p>
      )}
      {dialog}
    </Card>
  )
}

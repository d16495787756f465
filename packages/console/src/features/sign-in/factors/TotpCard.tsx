import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { DateTime, RelativeTime } from '#/ui/data/DateTime.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { type SecondFactors, whyNotRemove } from './queries.ts'
import { useConfirmed } from './use-confirmed.tsx'

const SetUpTotpDialog = lazyPart(() => import('./SetUpTotpDialog.tsx'), 'SetUpTotpDialog')

interface Props {
  factors: SecondFactors
  onCodes: (codes: readonly string[]) => void
}

/** The authenticator app whose code follows the password. */
export function TotpCard({ factors, onCodes }: Props) {
  const { totp } = factors
  const [begun, setBegun] = useState<OutputOf<'totpSetUp'>>()
  const begin = useOp(op.totpSetUp)
  const remove = useOp(op.totpDelete)
  const { confirmed, dialog } = useConfirmed()

  async function open(): Promise<void> {
    try {
      setBegun(await begin.run({}))
    } catch (error) {
      toast.error({ title: 'Could not set up authenticator app', text: failureText(asFailure(error)) })
    }
  }
  const askToRemove = (): void =>
    confirmAction({
      title: 'Confirm remove authenticator app',
      content: <p>Its codes will stop working. Remove the entry from the app as well.</p>,
      kind: 'danger',
      confirmLabel: 'Remove',
      pendingLabel: 'Removing',
      errorTitle: 'Could not remove authenticator app',
      success: 'Authenticator app removed',
      run: () => remove.run({}),
    })

  return (
    <Card
      title="Authenticator app"
      description="Enter a code from the app after your password."
      actions={
        <>
          <Button pending={begin.isPending} onClick={() => confirmed(() => void open())}>
            {totp ? 'Replace app' : 'Set up app'}
          </Button>
          {totp && (
            <Button disabledReason={whyNotRemove(factors)} onClick={() => confirmed(askToRemove)}>
              Remove app
            </Button>
          )}
        </>
      }
    >
      {totp ? (
        <p>
          Set up <DateTime value={totp.timeCreated} />
          {totp.timeLastUsed && (
            <span className="text-muted">
              , last used <RelativeTime value={totp.timeLastUsed} caption="Last used" ago />
            </span>
          )}
        </p>
      ) : (
        <p className="text-muted">Not set up</p>
      )}
      {begun && <SetUpTotpDialog begun={begun} onAdded={onCodes} onClose={() => setBegun(undefined)} />}
      {dialog}
    </Card>
  )
}

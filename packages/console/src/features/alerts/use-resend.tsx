import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/features/common/confirm.tsx'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'

interface Alert {
  alertId: string
  alertClass: string
}

/** Delivers an alert to the receiver again, after a question: people may be called by it. */
export function useResend(receiver: string) {
  const whyNot = useWhyNotOnFleet()
  const resend = useOp(op.alertDeliveryResend)
  const ask = ({ alertId, alertClass }: Alert): void =>
    confirmAction({
      title: 'Confirm resend',
      content: (
        <p>
          Are you sure you want to send this alert of class <strong>{alertClass}</strong> to{' '}
          <strong>{receiver}</strong> again?
        </p>
      ),
      kind: 'primary',
      pendingLabel: 'Resending',
      errorTitle: 'Could not resend alert',
      success: (
        <>
          Alert queued for <strong>{receiver}</strong>
        </>
      ),
      run: () => resend.run({ path: { alertId }, query: { receiver } }),
    })
  return { whyNot, ask }
}

import * as op from '@gantry/api/client/operations.gen'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import type { Delivery, ReceiverHealth } from './queries.ts'
import { attemptWords, deliveryStateWords, healthWords } from './words.ts'

export function HealthPlate({ receiver }: { receiver: ReceiverHealth }) {
  const { family, text } = healthWords(receiver)
  return <StatePlate family={family}>{text}</StatePlate>
}

export function DeliveryPlate({ state }: Pick<Delivery, 'state'>) {
  const { family, text } = deliveryStateWords[state]
  return <StatePlate family={family}>{text}</StatePlate>
}

type Attempt = Delivery['attempts']['webhook'][number]

export function AttemptPlate({ result, response }: Pick<Attempt, 'result' | 'response'>) {
  const { family, text } = attemptWords(result, response?.status)
  return <StatePlate family={family}>{text}</StatePlate>
}

export const AlertDocs = () => (
  <DocsPopover topic="alerts" page="alerts">
    An alert tells other systems that something happened, such as the failure of an instance. Each receiver
    gets the alerts that it subscribes to as signed HTTP requests. A request that fails is sent again twice:
    after one minute, and after five more.
  </DocsPopover>
)

interface Alert {
  alertId: string
  alertClass: string
}

/** Resends an alert after confirmation, because it may page someone. */
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

import * as op from '@gantry/api/client/operations.gen'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { AttemptPlate } from './parts.tsx'
import { type ProbeResult, receiverAt } from './queries.ts'

interface Props {
  receiver: string
  onClose: () => void
}

/** Sends one signed request to a receiver and shows the outcome. Requires permission to read the receiver only. */
export function ProbeDialog({ receiver, onClose }: Props) {
  const probe = useOp(op.alertReceiverProbe)
  const [outcome, setOutcome] = useState<ProbeResult>()
  const [isResending, setResending] = useState(false)
  const whyNotResend = useWhyNotOnFleet()
  async function send(): Promise<void> {
    setOutcome(undefined)
    try {
      setOutcome(await probe.run({ ...receiverAt(receiver), query: { resend: isResending } }))
    } catch {
      // Shown as `probe.error`.
    }
  }
  return (
    <Dialog
      title="Send test"
      onRequestClose={onClose}
      footer={
        <>
          <Button size="lg" onClick={onClose}>
            Close
          </Button>
          <Button
            size="lg"
            kind="primary"
            pending={probe.isPending}
            pendingLabel="Sending"
            onClick={() => void send()}
          >
            {outcome ? 'Send again' : 'Send test'}
          </Button>
        </>
      }
    >
      <p>
        Sends a signed request of class <code className="font-mono text-[0.8125rem]">probe</code> to{' '}
        <strong>{receiver}</strong> now. It is not stored as a delivery.
      </p>
      <Checkbox
        checked={isResending}
        disabled={whyNotResend !== undefined || probe.isPending}
        onChange={(event) => setResending(event.target.checked)}
      >
        If it succeeds, resend alerts that were never delivered
      </Checkbox>
      {whyNotResend && <p className="text-sm text-muted">{whyNotResend}</p>}
      <div role="status">{outcome && <Outcome outcome={outcome} />}</div>
      {probe.error && (
        <ErrorNote
          errors={[failureText(probe.error)]}
          {...(probe.error.requestId && { requestId: probe.error.requestId })}
        />
      )}
    </Dialog>
  )
}

/** The remedy for each failed result. */
const advice = {
  failed_http_error: 'The receiver responded with an error. It must respond with a status from 200 to 299.',
  failed_unreachable:
    'There was no response. Check the address, its certificate, and that the settings of this server allow the network (egress.allowed_networks).',
  failed_timeout: 'The receiver did not respond in time.',
}

function Outcome({ outcome: { probe, resendsStarted } }: { outcome: ProbeResult }) {
  const [attempt] = probe.attempts.webhook
  if (!attempt) return null
  const { result, response } = attempt
  return (
    <div className="space-y-1.5 rounded-block border border-line px-3.5 py-2.5">
      <p className="flex flex-wrap items-center gap-2">
        <AttemptPlate result={result} response={response} />
        {response && <span className="text-muted">in {formatNumber(response.durationMs)} ms</span>}
      </p>
      {result !== 'succeeded' && <p>{advice[result]}</p>}
      {resendsStarted !== null && (
        <p>
          {formatNumber(resendsStarted)} {plural('alert', resendsStarted)} will be sent again.
        </p>
      )}
    </div>
  )
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { WideIdItem } from '#/kit/page/plate-items.tsx'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { Button } from '#/ui/Button.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { RawText } from './RawText.tsx'
import { AttemptPlate, DeliveryPlate, useResend } from './parts.tsx'
import { type DeliveryDetail, deliveryView } from './queries.ts'
import { triggerWords } from './words.ts'

interface Props {
  receiver: string
  id: string
  onClose: () => void
}

/** One delivery in full: each attempt with its request and its response. */
export function DeliveryPanel({ receiver, id, onClose }: Props) {
  const { data: delivery } = useSuspenseQuery(deliveryView(id))
  const resend = useResend(receiver)
  const { alertClass, alertId, state, trigger, attempts, exchanges, timeStarted, timeNext } = delivery
  const { isDropped, isWithheld } = delivery
  return (
    <ViewPanel title={alertClass} context={`Delivery to ${receiver}`} closeTo={onClose}>
      <DataPlate narrow>
        <WideIdItem id={delivery.id} />
        <DataItem label="Alert ID" wide>
          <CopyableId id={alertId} max={40} />
        </DataItem>
        <DataItem label="State">
          <DeliveryPlate state={state} />
        </DataItem>
        <DataItem label="Trigger">{triggerWords[trigger]}</DataItem>
        <DataItem label="Started">
          <DateTime value={timeStarted} />
        </DataItem>
        <DataItem label="Next attempt">{timeNext ? <DateTime value={timeNext} /> : 'None'}</DataItem>
      </DataPlate>
      <Button disabledReason={resend.whyNot} onClick={() => resend.ask({ alertId, alertClass })}>
        Resend
      </Button>
      <section aria-label="Attempts" className="space-y-3">
        <h3 className="text-md">Attempts</h3>
        {isDropped && (
          <p>Not sent: too many alerts waited for this receiver, and this was among the oldest.</p>
        )}
        {isWithheld && (
          <p className="text-muted">Only those who may see the project may see what this alert tells.</p>
        )}
        {attempts.webhook.length === 0 && !isWithheld && (
          <>
            {!isDropped && <p className="text-muted">Nothing was sent yet. The request will contain:</p>}
            <RawText label="Alert data" text={JSON.stringify(delivery.payload, null, 2)} />
          </>
        )}
        {attempts.webhook.map((attempt) => (
          <Attempt
            key={attempt.attempt}
            attempt={attempt}
            exchange={exchanges.find((each) => each.attempt === attempt.attempt)}
          />
        ))}
      </section>
    </ViewPanel>
  )
}

interface AttemptProps {
  attempt: DeliveryDetail['attempts']['webhook'][number]
  exchange: DeliveryDetail['exchanges'][number] | undefined
}

function Attempt({ attempt: { attempt, result, response, timeSent }, exchange }: AttemptProps) {
  return (
    <section
      aria-label={`Attempt ${attempt}`}
      className="space-y-2.5 rounded-block border border-line px-3.5 py-2.5"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h4 className="font-medium text-strong">Attempt {attempt}</h4>
        <AttemptPlate result={result} response={response} />
        <span className="text-sm text-muted">
          <DateTime value={timeSent} />
          {response && ` in ${formatNumber(response.durationMs)} ms`}
        </span>
      </div>
      {exchange && (
        <>
          <RawText label="Request headers" text={headersText(exchange.request.headers)} />
          {exchange.request.body !== '' && (
            <RawText label="Request body" text={readable(exchange.request.body)} />
          )}
          {exchange.reason !== null && <p>No response: {exchange.reason}</p>}
          {exchange.responseBody !== null && (
            <RawText label="Response body" text={exchange.responseBody || '(empty)'} />
          )}
        </>
      )}
    </section>
  )
}

const headersText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Formats JSON on several lines; leaves other text unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { WideIdItem } from '#/kit/page/plate-items.tsx'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Button } from '#/ui/Button.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { receiverLink } from '../links.ts'
import { DeliveryPlate, useResend } from '../parts.tsx'
import { RawText } from '../RawText.tsx'
import { type Alert, alertView } from './queries.ts'

interface Props {
  id: string
  onClose: () => void
}

/** One alert: its data, and what came of it at each receiver. */
export function AlertPanel({ id, onClose }: Props) {
  const { data: alert } = useSuspenseQuery(alertView(id))
  return (
    <ViewPanel title={alert.class} context="Alert" closeTo={onClose}>
      <DataPlate narrow>
        <WideIdItem id={alert.id} />
        <DataItem label="Raised">
          <DateTime value={alert.timeCreated} toSecond />
        </DataItem>
        <DataItem label="Version of its data">{formatNumber(alert.version)}</DataItem>
      </DataPlate>
      <section aria-label="Receivers" className="space-y-3">
        <h3 className="text-md">Receivers</h3>
        {alert.receivers?.length === 0 && (
          <p className="text-muted">No receiver was subscribed to its class.</p>
        )}
        <ul className="space-y-2">
          {alert.receivers?.map((receiver) => (
            <ReceiverLine key={receiver.id} receiver={receiver} alert={alert} />
          ))}
        </ul>
      </section>
      <section aria-label="Data" className="space-y-3">
        <h3 className="text-md">Data</h3>
        {alert.isWithheld ? (
          <p className="text-muted">Only those who may see the project may see what this alert tells.</p>
        ) : (
          <RawText label="Alert data" text={JSON.stringify(alert.alert, null, 2)} />
        )}
      </section>
    </ViewPanel>
  )
}

interface LineProps {
  receiver: NonNullable<Alert['receivers']>[number]
  alert: Alert
}

/** The last delivery to a receiver. */
function ReceiverLine({ receiver: { name, deliveryId, state, timeStarted }, alert }: LineProps) {
  const resend = useResend(name)
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-block border border-line px-3.5 py-2.5">
      <PageLink {...receiverLink(name)} search={{ delivery: deliveryId }} className="link wrap-anywhere">
        {name}
      </PageLink>
      <DeliveryPlate state={state} />
      <span className="text-sm text-muted">
        <DateTime value={timeStarted} />
      </span>
      <span className="ml-auto">
        <Button
          disabledReason={resend.whyNot}
          onClick={() => resend.ask({ alertId: alert.id, alertClass: alert.class })}
        >
          Resend
        </Button>
      </span>
    </li>
  )
}

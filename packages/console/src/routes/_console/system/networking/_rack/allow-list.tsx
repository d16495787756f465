import * as op from '@gantry/api/client/operations.gen'
import { maxAllowedIps } from '@gantry/api/rack-network/network-access.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { allowList, inboundIcmp } from '#/features/rack-network/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { toast } from '#/ui/overlays/toast.ts'

export const Route = createFileRoute('/_console/system/networking/_rack/allow-list')({
  loader: ({ context }) => context.prefetch(allowList, inboundIcmp),
  staticData: { crumb: { label: 'Allow list', to: '/system/networking/allow-list' } },
  component: AllowListPage,
})

const AllowListForm = lazyPart(() => import('#/features/rack-network/AllowListForm.tsx'), 'AllowListForm')

/** The addresses that may reach the API and the console. */
function AllowListPage() {
  const { data: list } = useSuspenseQuery(allowList)
  const [isEditing, setEditing] = useState(false)
  const whyNot = useWhyNotOnFleet()
  const allowed = list.allowedIps
  return (
    <>
      <TabHead>No other address may reach the API and the console, except the server's own host.</TabHead>
      <div className="space-y-4">
        <Card
          title="Allowed source addresses"
          description={`Any address, or up to ${maxAllowedIps} networks`}
          actions={
            <Button disabledReason={whyNot} onClick={() => setEditing(true)}>
              Edit allow list
            </Button>
          }
        >
          {allowed.allow === 'any' ? (
            <p>Any address may reach the API and the console.</p>
          ) : (
            <ul className="font-mono text-[0.8125rem]">
              {allowed.ips.map((ip) => (
                <li key={ip}>{ip}</li>
              ))}
            </ul>
          )}
        </Card>
        <IcmpCard />
      </div>
      {isEditing && <AllowListForm allowed={allowed} onClose={() => setEditing(false)} />}
    </>
  )
}

function IcmpCard() {
  const { data } = useSuspenseQuery(inboundIcmp)
  const update = useOp(op.networkingInboundIcmpUpdate)
  const whyNot = useWhyNotOnFleet()
  const [verb, state] = data.enabled ? ['Disable', 'disabled'] : ['Enable', 'enabled']
  return (
    <Card
      title="Inbound ICMP"
      actions={
        <Button
          pending={update.isPending}
          pendingLabel="Saving"
          disabledReason={whyNot}
          onClick={() =>
            void update.run({ body: { enabled: !data.enabled } }).then(
              () => toast.success(`ICMP ${state}`),
              () => undefined,
            )
          }
        >
          {verb} ICMP
        </Button>
      }
    >
      <p>The API's addresses {data.enabled ? '' : 'do not '}respond to ICMP, such as ping.</p>
      {update.error && <ErrorNote errors={[failureText(update.error)]} />}
    </Card>
  )
}

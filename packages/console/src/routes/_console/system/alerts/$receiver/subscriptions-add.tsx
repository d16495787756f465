import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { receiverLink } from '#/features/alerts/links.ts'
import { allAlertClasses, receiverAt } from '#/features/alerts/queries.ts'
import { SubscriptionField } from '#/features/alerts/SubscriptionsField.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'

export const Route = createFileRoute('/_console/system/alerts/$receiver/subscriptions-add')({
  loader: ({ context }) => context.prefetch(allAlertClasses),
  staticData: { title: 'Add subscription' },
  component: SubscriptionAdd,
})

function SubscriptionAdd() {
  const { receiver } = Route.useParams()
  const add = useOp(op.alertReceiverSubscriptionAdd)
  return (
    <SideForm
      title="Add subscription"
      pendingLabel="Adding subscription"
      context={`To alert receiver ${receiver}`}
      initial={{ subscription: '' }}
      save={({ subscription }, send) =>
        add.run({ ...receiverAt(receiver), body: { subscription: subscription.trim() } }, send)
      }
      saved={({ subscription }) => successMessage('subscription', subscription, 'added')}
      fieldOf={({ statusCode }) => (statusCode === 400 ? 'subscription' : undefined)}
      closeTo={receiverLink(receiver, 'subscriptions')}
      disabled={useWhyNotOnFleet()}
    >
      <SubscriptionField />
    </SideForm>
  )
}

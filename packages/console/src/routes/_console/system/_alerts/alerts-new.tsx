import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { receiverLink } from '#/features/alerts/links.ts'
import { allAlertClasses } from '#/features/alerts/queries.ts'
import { ReceiverFields, refusedField, SecretField } from '#/features/alerts/ReceiverFields.tsx'
import { SubscriptionsField } from '#/features/alerts/SubscriptionsField.tsx'
import { linesOf } from '#/features/alerts/words.ts'
import { CreateForm } from '#/kit/forms/KindForms.tsx'

export const Route = createFileRoute('/_console/system/_alerts/alerts-new')({
  loader: ({ context }) => context.prefetch(allAlertClasses),
  staticData: { title: 'New alert receiver' },
  component: AlertReceiverNew,
})

const initial = { name: '', description: '', endpoint: '', secret: '', subscriptions: '' }

function AlertReceiverNew() {
  const create = useOp(op.webhookReceiverCreate)
  return (
    <CreateForm
      kind="alert receiver"
      pageOf={({ name }) => receiverLink(name)}
      initial={initial}
      save={({ endpoint, secret, subscriptions, ...body }, send) =>
        create.run(
          {
            body: {
              ...body,
              endpoint: endpoint.trim(),
              secrets: [secret],
              subscriptions: linesOf(subscriptions),
            },
          },
          send,
        )
      }
      fieldOf={refusedField}
      closeTo={{ to: '/system/alerts' }}
      disabled={useWhyNotInFleet()}
    >
      <ReceiverFields />
      <SecretField />
      <SubscriptionsField />
    </CreateForm>
  )
}

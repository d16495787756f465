import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { receiverLink } from '#/features/alerts/links.ts'
import { receiverAt, receiverView } from '#/features/alerts/queries.ts'
import { ReceiverFields, refusedField } from '#/features/alerts/ReceiverFields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'

export const Route = createFileRoute('/_console/system/alerts/$receiver/edit')({
  loader: ({ context, params: { receiver } }) => context.renew(receiverView(receiver)),
  staticData: { title: 'Edit alert receiver' },
  component: AlertReceiverEdit,
})

function AlertReceiverEdit() {
  const { receiver: selector } = Route.useParams()
  const navigate = Route.useNavigate()
  const view = receiverView(selector)
  const { data } = useSuspenseQuery(view)
  const update = useOp(op.webhookReceiverUpdate, { sees: view })
  const { name, description, kind } = data
  return (
    <EditForm
      kind="alert receiver"
      pageOf={(saved) => receiverLink(saved.name)}
      initial={{ name, description, endpoint: kind.endpoint }}
      save={async (values, send) => {
        await update.run(
          { ...receiverAt(selector), body: { ...values, endpoint: values.endpoint.trim() } },
          send,
        )
        return { name: values.name }
      }}
      onSaved={(saved) =>
        void navigate({
          to: '/system/alerts/$receiver',
          params: { receiver: saved.name },
          search: true,
          replace: true,
          resetScroll: false,
        })
      }
      fieldOf={(failure) => {
        const field = refusedField(failure)
        return field === 'name' || field === 'endpoint' ? field : undefined
      }}
      closeTo={receiverLink(selector)}
      disabled={useWhyNotOnFleet()}
    >
      <ReceiverFields />
    </EditForm>
  )
}

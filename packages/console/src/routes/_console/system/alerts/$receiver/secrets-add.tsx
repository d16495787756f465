import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { receiverLink } from '#/features/alerts/links.ts'
import { SecretField } from '#/features/alerts/ReceiverFields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'

export const Route = createFileRoute('/_console/system/alerts/$receiver/secrets-add')({
  staticData: { title: 'Add secret' },
  component: SecretAdd,
})

function SecretAdd() {
  const { receiver } = Route.useParams()
  const add = useOp(op.webhookSecretsAdd)
  return (
    <SideForm
      title="Add secret"
      pendingLabel="Adding secret"
      context={`To alert receiver ${receiver}`}
      initial={{ secret: '' }}
      save={(body, send) => add.run({ query: { receiver }, body }, send)}
      saved={({ id }) => successMessage('secret', id, 'added')}
      fieldOf={({ statusCode }) => (statusCode === 400 ? 'secret' : undefined)}
      closeTo={receiverLink(receiver, 'secrets')}
      disabled={useWhyNotOnFleet()}
    >
      <SecretField />
    </SideForm>
  )
}

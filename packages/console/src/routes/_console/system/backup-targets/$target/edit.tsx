import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { targetLink } from '#/features/backup-targets/links.ts'
import { targetAt, targetView } from '#/features/backup-targets/queries.ts'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'

export const Route = createFileRoute('/_console/system/backup-targets/$target/edit')({
  loader: ({ context, params }) => context.renew(targetView(params.target)),
  staticData: { title: 'Edit backup target' },
  component: TargetEdit,
})

function TargetEdit() {
  const { target: name } = Route.useParams()
  const view = targetView(name)
  const navigate = Route.useNavigate()
  const { data: target } = useSuspenseQuery(view)
  const update = useOp(op.backupTargetUpdate, { sees: view, seeds: (saved) => targetView(saved.name) })
  return (
    <EditForm
      kind="backup target"
      pageOf={(saved) => targetLink(saved.name)}
      initial={{ name: target.name, description: target.description, isDefault: target.isDefault }}
      save={(body, send) => update.run({ ...targetAt(name), body }, send)}
      onSaved={(saved) => void navigate({ ...targetLink(saved.name), replace: true })}
      closeTo={targetLink(name)}
      disabled={useWhyNotOnFleet()}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <CheckboxField name="isDefault">New backups are written there by default</CheckboxField>
    </EditForm>
  )
}

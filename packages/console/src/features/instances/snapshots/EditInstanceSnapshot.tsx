import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { instanceSnapshotById } from './queries.ts'

interface Props {
  project: string
  id: string
  onClose: () => void
}

/** Name and description of an instance snapshot. */
export function EditInstanceSnapshot({ project, id, onClose }: Props) {
  const view = instanceSnapshotById(id)
  const { data: seen } = useSuspenseQuery({ ...view, gcTime: 0 })
  const update = useOp(op.instanceSnapshotIdentityUpdate, { sees: view })
  return (
    <EditForm
      kind="instance snapshot"
      context={`Of instance ${seen.instanceName}`}
      initial={{ name: seen.name, description: seen.description }}
      save={(body, send) => update.run({ path: { instanceSnapshot: id }, query: {}, body }, send)}
      closeTo={onClose}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}

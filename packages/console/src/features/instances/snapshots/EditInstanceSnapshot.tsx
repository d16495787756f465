import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { type Renaming, reportRenaming } from '#/kit/page/use-viewed.ts'
import { instanceSnapshotById, instanceSnapshotView } from './queries.ts'

interface Props {
  project: string
  id: string
  /** Of the snapshot's own page, whose address has its name. */
  onRename?: ((is: Renaming) => void) | undefined
  onClose: () => void
}

/** Name and description of an instance snapshot. */
export function EditInstanceSnapshot({ project, id, onRename, onClose }: Props) {
  const view = instanceSnapshotById(id)
  const { data: seen } = useSuspenseQuery({ ...view, gcTime: 0 })
  const update = useOp(op.instanceSnapshotIdentityUpdate, {
    sees: view,
    seeds: (saved) => instanceSnapshotView(project, saved.name),
  })
  return (
    <EditForm
      kind="instance snapshot"
      context={`Of instance ${seen.instanceName}`}
      initial={{ name: seen.name, description: seen.description }}
      save={(body, send) =>
        reportRenaming(() => update.run({ path: { instanceSnapshot: id }, query: {}, body }, send), onRename)
      }
      onSaved={({ name }) => {
        onClose()
        onRename?.({ instanceSnapshot: name })
      }}
      closeTo={onClose}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}

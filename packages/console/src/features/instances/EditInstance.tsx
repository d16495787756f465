import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { type Renaming, reportRenaming } from '#/kit/page/use-viewed.ts'
import { instanceView, type Instance } from './queries.ts'

interface Props {
  project: string
  instance: Instance
  /** Of the instance's own page, whose address has its name. */
  onRename?: ((is: Renaming) => void) | undefined
  onClose: () => void
}

/** Name and description of an instance. */
export function EditInstance({ project, instance: { name: opened }, onRename, onClose }: Props) {
  const view = instanceView(project, opened)
  const { data: seen } = useSuspenseQuery({ ...view, gcTime: 0 })
  const update = useOp(op.instanceIdentityUpdate, {
    sees: view,
    seeds: (saved) => instanceView(project, saved.name),
  })
  return (
    <EditForm
      kind="instance"
      context={opened}
      initial={{ name: seen.name, description: seen.description }}
      reviewable
      save={(body, send) =>
        reportRenaming(
          () => update.run({ path: { instance: opened }, query: { project }, body }, send),
          onRename,
        )
      }
      onSaved={({ name }) => {
        onClose()
        onRename?.({ instance: name })
      }}
      closeTo={onClose}
      disabled={useWhyNotInProject(project)}
    >
      <NameField
        name="name"
        hint="The host name and the addresses stay, and so does the running guest. Firewall rules and routes that name the instance follow."
      />
      <DescriptionField name="description" />
    </EditForm>
  )
}

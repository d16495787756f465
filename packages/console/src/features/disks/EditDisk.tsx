import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { type Renaming, reportRenaming } from '#/kit/page/use-viewed.ts'
import { diskView, type Disk } from './queries.ts'

interface Props {
  project: string
  disk: Disk
  /** Of the disk's own page, whose address has its name. */
  onRename?: ((is: Renaming) => void) | undefined
  onClose: () => void
}

/** Name and description of a disk. */
export function EditDisk({ project, disk: { name: opened }, onRename, onClose }: Props) {
  const view = diskView(project, opened)
  const { data: seen } = useSuspenseQuery({ ...view, gcTime: 0 })
  const update = useOp(op.diskIdentityUpdate, { sees: view, seeds: (saved) => diskView(project, saved.name) })
  return (
    <EditForm
      kind="disk"
      context={opened}
      initial={{ name: seen.name, description: seen.description }}
      reviewable
      save={(body, send) =>
        reportRenaming(() => update.run({ path: { disk: opened }, query: { project }, body }, send), onRename)
      }
      onSaved={({ name }) => {
        onClose()
        onRename?.({ disk: name })
      }}
      closeTo={onClose}
      disabled={useWhyNotInProject(project)}
    >
      <NameField
        name="name"
        hint="A guest that finds the disk by its serial number, which is its name, sees the new one after its next start."
      />
      <DescriptionField name="description" />
    </EditForm>
  )
}

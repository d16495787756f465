import * as op from '@gantry/api/client/operations.gen'
import { whyNotCopy } from '#/features/disks/why-not-copy.ts'
import { useOffered } from '#/kit/list/use-offered.ts'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { offeredDisks } from '#/features/disks/queries.ts'
import { snapshotSaved } from '#/features/snapshots/snapshot-saved.ts'
import { formatBytes } from '#/ui/data/format.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'

export const Route = createFileRoute('/_console/projects/$project/_snapshots/snapshots-new')({
  staticData: { title: 'New snapshot' },
  component: SnapshotNew,
})

function SnapshotNew() {
  const { project } = Route.useParams()
  const all = useOffered(offeredDisks(project))
  const disks = (all.data ?? []).filter((disk) => !whyNotCopy(disk))
  const create = useOp(op.snapshotCreate)
  return (
    <CreateForm
      kind="snapshot"
      context={`In project ${project}`}
      initial={{ name: '', description: '', disk: '' }}
      save={(body, send) => create.run({ query: { project }, body }, send)}
      saved={snapshotSaved}
      closeTo={{ to: '/projects/$project/snapshots', params: { project } }}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <ChoiceField
        name="disk"
        label="Disk"
        placeholder="Select a disk"
        hint={all.data && disks.length === 0 ? 'This project has no attached or detached disks.' : undefined}
        {...choicesOf(all)}
        options={disks.map(({ name, size }) => ({ value: name, label: name, detail: formatBytes(size) }))}
      />
      <NewTags kind="snapshot" project={project} />
    </CreateForm>
  )
}

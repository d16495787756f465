import * as op from '@gantry/api/client/operations.gen'
import { allows } from '@gantry/api/state.rules'
import { diskAllows } from '@gantry/api/disk.rules'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../data/use-op.ts'
import { choicesOf } from '../../../../../features/common/choices-of.ts'
import { ChoiceField } from '../../../../../features/common/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '../../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../../features/common/forms/SideForm.tsx'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { told } from '../../../../../features/common/told.tsx'
import { allDisks } from '../../../../../features/disks/queries.ts'
import { snapshotPaths } from '../../../../../features/snapshots/queries.ts'
import { formatBytes } from '../../../../../ui/format.ts'

export const Route = createFileRoute('/_console/projects/$project/_snapshots/snapshots-new')({
  staticData: {
    crumb: ({ project = '' }) => ({
      label: 'New snapshot',
      path: snapshotPaths.create(project),
      titleOnly: true,
    }),
  },
  component: SnapshotNew,
})

function SnapshotNew() {
  const { project } = Route.useParams()
  const all = useQuery(allDisks(project))
  const disks = (all.data ?? []).filter(({ state }) => allows(diskAllows, 'snapshot', state.state))
  const create = useOp(op.snapshotCreate)
  return (
    <SideForm
      title="Create snapshot"
      context={`In project ${project}`}
      pendingLabel="Creating snapshot"
      initial={{ name: '', description: '', disk: '' }}
      save={(body) => create.run({ query: { project }, body })}
      saved={({ name }) => told('Snapshot', name, 'created')}
      closeTo={snapshotPaths.list(project)}
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
    </SideForm>
  )
}

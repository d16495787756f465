import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { successMessage } from '#/features/common/success-message.tsx'
import { DiskForm } from '#/features/disks/DiskForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/_disks/disks-new')({
  staticData: { title: 'New disk' },
  component: DiskNew,
})

function DiskNew() {
  const { project } = Route.useParams()
  const create = useOp(op.diskCreate)
  return (
    <DiskForm
      project={project}
      save={(body) => create.run({ query: { project }, body })}
      saved={({ name }) => successMessage('Disk', name, 'created')}
      closeTo={{ to: '/projects/$project/disks', params: { project } }}
      disabled={useWhyNotInProject(project)}
    />
  )
}

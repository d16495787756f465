import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../data/use-op.ts'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { told } from '../../../../../features/common/told.tsx'
import { DiskForm } from '../../../../../features/disks/DiskForm.tsx'
import { diskPaths } from '../../../../../features/disks/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/_disks/disks-new')({
  staticData: {
    crumb: ({ project = '' }) => ({ label: 'New disk', path: diskPaths.create(project), titleOnly: true }),
  },
  component: DiskNew,
})

function DiskNew() {
  const { project } = Route.useParams()
  const create = useOp(op.diskCreate)
  return (
    <DiskForm
      project={project}
      save={(body) => create.run({ query: { project }, body })}
      saved={({ name }) => told('Disk', name, 'created')}
      closeTo={diskPaths.list(project)}
      disabled={useWhyNotInProject(project)}
    />
  )
}

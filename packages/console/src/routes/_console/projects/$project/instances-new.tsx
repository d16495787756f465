import { createFileRoute } from '@tanstack/react-router'
import { allAntiAffinityGroups } from '../../../../features/affinity/queries.ts'
import { allDisks } from '../../../../features/disks/queries.ts'
import { allProjectImages, allSiloImages } from '../../../../features/images/queries.ts'
import { CreateInstance } from '../../../../features/instances/create/CreateInstance.tsx'
import { instancePaths } from '../../../../features/instances/queries.ts'
import { allFloatingIps, allIpPools } from '../../../../features/networking/queries.ts'
import { allSshKeys } from '../../../../features/ssh-keys/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances-new')({
  loader: ({ context, params: { project } }) =>
    context.prefetch(
      allSiloImages,
      allProjectImages(project),
      allDisks(project),
      allSshKeys,
      allIpPools,
      allFloatingIps(project),
      allAntiAffinityGroups(project),
    ),
  staticData: {
    crumb: ({ project = '' }) => ({ label: 'New instance', path: instancePaths.create(project) }),
  },
  component: NewInstance,
})

function NewInstance() {
  const { project } = Route.useParams()
  return <CreateInstance key={project} project={project} />
}

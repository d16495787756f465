import { createFileRoute } from '@tanstack/react-router'
import { StorageTab } from '../../../../../../../features/instances/detail/StorageTab.tsx'
import { instanceDisks, instancePaths } from '../../../../../../../features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/storage')({
  loader: ({ context, params: { project, instance } }) => context.prefetch(instanceDisks(project, instance)),
  staticData: {
    crumb: ({ project = '', instance = '' }) => ({
      label: 'Storage',
      path: instancePaths.storage(project, instance),
    }),
  },
  component: Storage,
})

function Storage() {
  return <StorageTab {...Route.useParams()} />
}

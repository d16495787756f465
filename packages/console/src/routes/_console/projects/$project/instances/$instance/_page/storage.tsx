import { createFileRoute } from '@tanstack/react-router'
import { StorageTab } from '#/features/instance-page/StorageTab.tsx'
import { instanceDisks } from '#/features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/storage')({
  loader: ({ context, params: { project, instance } }) => context.prefetch(instanceDisks(project, instance)),
  staticData: { crumb: { label: 'Storage', to: '/projects/$project/instances/$instance/storage' } },
  component: Storage,
})

function Storage() {
  return <StorageTab {...Route.useParams()} />
}

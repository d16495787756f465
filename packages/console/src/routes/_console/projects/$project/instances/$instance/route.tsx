import { createFileRoute } from '@tanstack/react-router'
import { instanceView } from '#/features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance')({
  loader: ({ context, params }) => context.prefetch(instanceView(params.project, params.instance)),
  staticData: { crumb: { param: 'instance', to: '/projects/$project/instances/$instance/storage' } },
})

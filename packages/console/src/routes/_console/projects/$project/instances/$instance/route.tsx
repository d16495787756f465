import { createFileRoute } from '@tanstack/react-router'
import { instancePaths, instanceView } from '../../../../../../features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance')({
  loader: ({ context, params }) => context.prefetch(instanceView(params.project, params.instance)),
  staticData: {
    crumb: ({ project = '', instance = '' }) => ({
      label: instance,
      path: instancePaths.storage(project, instance),
    }),
  },
})

import { createFileRoute } from '@tanstack/react-router'
import { instancePaths } from '../../../../../features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances')({
  staticData: {
    crumb: ({ project = '' }) => ({ label: 'Instances', path: instancePaths.list(project) }),
  },
})

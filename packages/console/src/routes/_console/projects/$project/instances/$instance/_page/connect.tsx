import { createFileRoute } from '@tanstack/react-router'
import { ConnectTab } from '../../../../../../../features/instances/detail/ConnectTab.tsx'
import { instancePaths } from '../../../../../../../features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/connect')({
  staticData: {
    crumb: ({ project = '', instance = '' }) => ({
      label: 'Connect',
      path: instancePaths.connect(project, instance),
    }),
  },
  component: Connect,
})

function Connect() {
  return <ConnectTab {...Route.useParams()} />
}

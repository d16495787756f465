import { createFileRoute } from '@tanstack/react-router'
import { SerialConsolePage } from '../../../../../../features/instances/serial/SerialConsolePage.tsx'
import { instancePaths } from '../../../../../../features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/serial-console')({
  staticData: {
    fillsPane: true,
    crumb: ({ project = '', instance = '' }) => ({
      label: 'Serial Console',
      path: instancePaths.serialConsole(project, instance),
    }),
  },
  component: SerialConsole,
})

function SerialConsole() {
  const { project, instance } = Route.useParams()
  // Another machine is another terminal.
  return <SerialConsolePage key={`${project}/${instance}`} project={project} instance={instance} />
}

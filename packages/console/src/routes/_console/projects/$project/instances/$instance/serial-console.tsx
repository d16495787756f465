// @chunk apart: the terminal is large.
import { createFileRoute } from '@tanstack/react-router'
import { SerialConsolePage } from '#/features/instances/serial/SerialConsolePage.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/serial-console')({
  staticData: {
    fillsPane: true,
    crumb: { label: 'Serial Console', to: '/projects/$project/instances/$instance/serial-console' },
  },
  component: SerialConsole,
})

function SerialConsole() {
  const { project, instance } = Route.useParams()
  // Another instance needs a new terminal.
  return <SerialConsolePage key={`${project}/${instance}`} project={project} instance={instance} />
}

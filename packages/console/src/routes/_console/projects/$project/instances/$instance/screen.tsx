// @chunk apart: a screen is not part of what other pages of an instance show.
import { createFileRoute } from '@tanstack/react-router'
import { ScreenPage } from '#/features/instances/screen/ScreenPage.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/screen')({
  staticData: {
    fillsPane: true,
    crumb: { label: 'Screen', to: '/projects/$project/instances/$instance/screen' },
  },
  component: Screen,
})

function Screen() {
  const { project, instance } = Route.useParams()
  // Another instance has another screen.
  return <ScreenPage key={`${project}/${instance}`} project={project} instance={instance} />
}

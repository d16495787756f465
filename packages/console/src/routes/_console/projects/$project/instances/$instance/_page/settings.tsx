import { createFileRoute } from '@tanstack/react-router'
import { allAntiAffinityGroups, groupsOfInstance } from '../../../../../../../features/affinity/queries.ts'
import { SettingsTab } from '../../../../../../../features/instances/detail/SettingsTab.tsx'
import { instancePaths } from '../../../../../../../features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/settings')({
  loader: ({ context, params: { project, instance } }) =>
    context.prefetch(groupsOfInstance(project, instance), allAntiAffinityGroups(project)),
  staticData: {
    crumb: ({ project = '', instance = '' }) => ({
      label: 'Settings',
      path: instancePaths.settings(project, instance),
    }),
  },
  component: Settings,
})

function Settings() {
  return <SettingsTab {...Route.useParams()} />
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePolling } from '#/data/live.ts'
import { useWhyNot } from '#/data/permissions.ts'
import { AccessPage } from '#/features/access/AccessPage.tsx'
import { accessColumns } from '#/features/access/columns.tsx'
import { projectOwner } from '#/features/access/policy-owner.ts'
import { allGroups, allUsers, policyPollMs, projectPolicy, siloPolicy } from '#/features/access/queries.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { Term } from '#/ui/data/Term.tsx'

export const Route = createFileRoute('/_console/projects/$project/access')({
  loader: ({ context, params }) =>
    context.prefetch(siloPolicy, projectPolicy(params.project), allUsers, allGroups),
  staticData: { crumb: { label: 'Project Access', to: '/projects/$project/access' } },
  component: ProjectAccess,
})

const columns = accessColumns(
  <Term tip="The effective role is the stronger of the silo role and the project role.">Role</Term>,
)

function ProjectAccess() {
  const { project } = Route.useParams()
  const refetchInterval = usePolling(policyPollMs)
  const { data: ofSilo } = useSuspenseQuery({ ...siloPolicy, refetchInterval })
  // Users who remove their own role may lose access to the project.
  const { data: ofProject } = useViewed({ ...projectPolicy(project), refetchInterval })
  const policies = useMemo(
    () =>
      [
        { level: 'silo', assignments: ofSilo.roleAssignments },
        { level: 'project', assignments: ofProject.roleAssignments },
      ] as const,
    [ofSilo, ofProject],
  )
  return (
    <AccessPage
      title="Project Access"
      docs={
        <DocsPopover topic="access" page="access#roles">
          A project role applies to this project only. Silo roles apply here too; the stronger of the two is
          effective.
        </DocsPopover>
      }
      owner={projectOwner(project)}
      policies={policies}
      columns={columns}
      emptyLabel="Add user or group to project"
      whyNotAllowed={useWhyNot({ action: 'modify', object: 'project', id: project })}
    />
  )
}

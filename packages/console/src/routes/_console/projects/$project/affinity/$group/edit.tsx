import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { affinityGroupLink } from '#/features/affinity/links.ts'
import { groupAt, groupMembers, groupView } from '#/features/affinity/queries.ts'
import { DescriptionField, NameField } from '#/features/common/forms/fields.tsx'
import { EditForm } from '#/features/common/forms/KindForms.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'

export const Route = createFileRoute('/_console/projects/$project/affinity/$group/edit')({
  staticData: { title: 'Edit anti-affinity group' },
  component: GroupEdit,
})

function GroupEdit() {
  const { project, group: name } = Route.useParams()
  const view = groupView(project, name)
  const queryClient = useQueryClient()
  const navigate = Route.useNavigate()
  const { data: group } = useSuspenseQuery(view)
  const update = useOp(op.antiAffinityGroupUpdate, {
    sees: view,
    seeds: (updated) => groupView(project, updated.name),
    onSuccess: (updated) => {
      // Renaming does not change the members, so seed the view under the new name.
      const members = queryClient.getQueryData(groupMembers(project, name).queryKey)
      queryClient.setQueryData(groupMembers(project, updated.name).queryKey, members)
    },
  })
  return (
    <EditForm
      kind="anti-affinity group"
      pageOf={(saved) => affinityGroupLink(project, saved.name)}
      submitLabel="Edit group"
      pendingLabel="Updating group"
      initial={{ name: group.name, description: group.description }}
      save={(body) => update.run({ ...groupAt(project, name), body })}
      onSaved={(updated) =>
        void navigate({
          to: '/projects/$project/affinity/$group',
          params: { project, group: updated.name },
          replace: true,
          resetScroll: false,
        })
      }
      closeTo={affinityGroupLink(project, name)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}

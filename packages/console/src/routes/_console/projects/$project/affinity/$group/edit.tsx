import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../../data/use-op.ts'
import {
  affinityPaths,
  groupAt,
  groupMembers,
  groupView,
} from '../../../../../../features/affinity/queries.ts'
import { DescriptionField, NameField } from '../../../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../../../features/common/forms/SideForm.tsx'
import { useWhyNotInProject } from '../../../../../../features/common/project-permission.ts'
import { told } from '../../../../../../features/common/told.tsx'

export const Route = createFileRoute('/_console/projects/$project/affinity/$group/edit')({
  staticData: {
    crumb: ({ project = '', group = '' }) => ({
      label: 'Edit anti-affinity group',
      path: affinityPaths.edit(project, group),
      titleOnly: true,
    }),
  },
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
    onSuccess: (updated) => {
      queryClient.setQueryData(groupView(project, updated.name).queryKey, updated)
      // Under a new name the page behind has the same members.
      const members = queryClient.getQueryData(groupMembers(project, name).queryKey)
      queryClient.setQueryData(groupMembers(project, updated.name).queryKey, members)
    },
  })
  return (
    <SideForm
      title="Edit anti-affinity group"
      submitLabel="Edit group"
      pendingLabel="Updating group"
      initial={{ name: group.name, description: group.description }}
      save={(body) => update.run({ ...groupAt(project, name), body })}
      saved={(updated) => told('Anti-affinity group', updated.name, 'updated')}
      onSaved={(updated) =>
        void navigate({
          to: '/projects/$project/affinity/$group',
          params: { project, group: updated.name },
          replace: true,
          resetScroll: false,
        })
      }
      closeTo={affinityPaths.view(project, name)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </SideForm>
  )
}

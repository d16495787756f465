import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNot } from '../../../../data/permissions.ts'
import { useOp } from '../../../../data/use-op.ts'
import { DescriptionField, NameField } from '../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../features/common/forms/SideForm.tsx'
import { told } from '../../../../features/common/told.tsx'
import { projectPaths, projectView } from '../../../../features/projects/queries.ts'

export const Route = createFileRoute('/_console/_silo/_projects/projects/$project/edit')({
  loader: ({ context, params }) => context.prefetch(projectView(params.project)),
  staticData: {
    crumb: ({ project = '' }) => ({
      label: 'Edit project',
      path: projectPaths.edit(project),
      titleOnly: true,
    }),
  },
  component: ProjectEdit,
})

function ProjectEdit() {
  const view = projectView(Route.useParams().project)
  const queryClient = useQueryClient()
  const { data: project } = useSuspenseQuery(view)
  const whyNot = useWhyNot({ action: 'modify', object: 'project', id: project.id })
  const update = useOp(op.projectUpdate, {
    sees: view,
    onSuccess: (updated) => queryClient.setQueryData(projectView(updated.name).queryKey, updated),
  })
  return (
    <SideForm
      title="Edit project"
      submitLabel="Update project"
      pendingLabel="Updating project"
      initial={{ name: project.name, description: project.description }}
      save={(body) => update.run({ path: { project: project.name }, body })}
      saved={({ name }) => told('Project', name, 'updated')}
      closeTo={projectPaths.list}
      disabled={whyNot}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </SideForm>
  )
}

import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNot } from '../../../../data/permissions.ts'
import { useOp } from '../../../../data/use-op.ts'
import { DescriptionField, NameField } from '../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../features/common/forms/SideForm.tsx'
import { told } from '../../../../features/common/told.tsx'
import { projectPaths, projectView } from '../../../../features/projects/queries.ts'

export const Route = createFileRoute('/_console/_silo/_projects/projects-new')({
  staticData: { crumb: { label: 'New project', path: projectPaths.create, titleOnly: true } },
  component: ProjectNew,
})

function ProjectNew() {
  const queryClient = useQueryClient()
  const navigate = Route.useNavigate()
  const whyNot = useWhyNot({ action: 'create_child', object: 'silo' })
  const create = useOp(op.projectCreate, {
    onSuccess: (project) => queryClient.setQueryData(projectView(project.name).queryKey, project),
  })
  return (
    <SideForm
      title="Create project"
      pendingLabel="Creating project"
      initial={{ name: '', description: '' }}
      save={(body) => create.run({ body })}
      saved={({ name }) => told('Project', name, 'created')}
      onSaved={({ name }) => void navigate({ to: '/projects/$project', params: { project: name } })}
      closeTo={projectPaths.list}
      disabled={whyNot}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </SideForm>
  )
}

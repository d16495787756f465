import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { projectView } from '#/features/projects/queries.ts'
import { projectLink } from '#/features/projects/links.ts'

export const Route = createFileRoute('/_console/_silo/_projects/projects/$project/edit')({
  loader: ({ context, params }) => context.renew(projectView(params.project)),
  staticData: { title: 'Edit project' },
  component: ProjectEdit,
})

function ProjectEdit() {
  const view = projectView(Route.useParams().project)
  const { data: project } = useSuspenseQuery(view)
  const whyNot = useWhyNot({ action: 'modify', object: 'project', id: project.id })
  const update = useOp(op.projectUpdate, {
    sees: view,
    seeds: ({ name }) => projectView(name),
  })
  return (
    <EditForm
      kind="project"
      pageOf={(saved) => projectLink(saved.name)}
      initial={{ name: project.name, description: project.description }}
      save={(body, send) => update.run({ path: { project: project.name }, body }, send)}
      closeTo={{ to: '/projects' }}
      disabled={whyNot}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}

import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { projectView } from '#/features/projects/queries.ts'
import { projectLink } from '#/features/projects/links.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'

export const Route = createFileRoute('/_console/_silo/_projects/projects-new')({
  staticData: { title: 'New project' },
  component: ProjectNew,
})

function ProjectNew() {
  const navigate = Route.useNavigate()
  const whyNot = useWhyNot({ action: 'create_child', object: 'silo' })
  const create = useOp(op.projectCreate, {
    seeds: ({ name }) => projectView(name),
  })
  return (
    <CreateForm
      kind="project"
      pageOf={({ name }) => projectLink(name)}
      initial={{ name: '', description: '' }}
      save={(body, send) => create.run({ body }, send)}
      onSaved={({ name }) => void navigate({ to: '/projects/$project', params: { project: name } })}
      closeTo={{ to: '/projects' }}
      disabled={whyNot}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <NewTags kind="project" />
    </CreateForm>
  )
}

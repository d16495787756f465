import { createFileRoute } from '@tanstack/react-router'
import { EditTemplate } from '#/features/templates/EditTemplate.tsx'
import { templateView } from '#/features/templates/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/templates/$template/edit')({
  loader: ({ context, params: { project, template } }) => context.renew(templateView(project, template)),
  staticData: { title: 'Edit instance template' },
  component: EditTemplate,
})

import { createFileRoute } from '@tanstack/react-router'
import { EditTemplate } from '#/features/templates/EditTemplate.tsx'
import { templateView } from '#/features/templates/queries.ts'

export const Route = createFileRoute('/_console/_silo/templates/$template/edit')({
  loader: ({ context, params: { template } }) => context.renew(templateView(undefined, template)),
  staticData: { title: 'Edit instance template' },
  component: EditTemplate,
})

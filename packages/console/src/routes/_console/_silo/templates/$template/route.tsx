import { createFileRoute } from '@tanstack/react-router'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { templateView } from '#/features/templates/queries.ts'
import { TemplatePage } from '#/features/templates/TemplatePage.tsx'

export const Route = createFileRoute('/_console/_silo/templates/$template')({
  validateSearch: withActivitySearch,
  loader: ({ context, params: { template } }) => context.prefetch(templateView(undefined, template)),
  staticData: {
    crumb: [
      { label: 'Templates', to: '/templates' },
      { param: 'template', to: '/templates/$template' },
    ],
  },
  component: Template,
})

function Template() {
  return <TemplatePage {...Route.useParams()} search={Route.useSearch()} />
}

import { createFileRoute } from '@tanstack/react-router'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { templateView } from '#/features/templates/queries.ts'
import { TemplatePage } from '#/features/templates/TemplatePage.tsx'

export const Route = createFileRoute('/_console/projects/$project/templates/$template')({
  validateSearch: withActivitySearch,
  loader: ({ context, params: { project, template } }) => context.prefetch(templateView(project, template)),
  staticData: {
    crumb: [
      { label: 'Templates', to: '/projects/$project/templates' },
      { param: 'template', to: '/projects/$project/templates/$template' },
    ],
  },
  component: Template,
})

function Template() {
  return <TemplatePage {...Route.useParams()} search={Route.useSearch()} />
}

import { createFileRoute } from '@tanstack/react-router'
import { templatesIn } from '#/features/templates/queries.ts'
import { TemplateList } from '#/features/templates/TemplateList.tsx'
import { pageSearch } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'

export const Route = createFileRoute('/_console/projects/$project/_templates')({
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, templatesIn(project)),
  staticData: { crumb: { label: 'Templates', to: '/projects/$project/templates' } },
  component: Templates,
})

function Templates() {
  return <TemplateList {...Route.useParams()} />
}

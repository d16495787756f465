import { createFileRoute } from '@tanstack/react-router'
import { foundTemplates } from '#/features/templates/queries.ts'
import { TemplateList } from '#/features/templates/TemplateList.tsx'
import { findSearch } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'

export const Route = createFileRoute('/_console/projects/$project/_templates')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundTemplates(project, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Templates', to: '/projects/$project/templates' } },
  component: Templates,
})

function Templates() {
  return <TemplateList {...Route.useParams()} search={Route.useSearch()} />
}

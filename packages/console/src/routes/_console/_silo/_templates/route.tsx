import { createFileRoute } from '@tanstack/react-router'
import { foundTemplates } from '#/features/templates/queries.ts'
import { TemplateList } from '#/features/templates/TemplateList.tsx'
import { findSearch } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'

export const Route = createFileRoute('/_console/_silo/_templates')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, foundTemplates(undefined, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Templates', to: '/templates' } },
  component: Templates,
})

function Templates() {
  return <TemplateList search={Route.useSearch()} />
}

import { createFileRoute } from '@tanstack/react-router'
import { templatesIn } from '#/features/templates/queries.ts'
import { TemplateList } from '#/features/templates/TemplateList.tsx'
import { pageSearch } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'

export const Route = createFileRoute('/_console/_silo/_templates')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, templatesIn(undefined)),
  staticData: { crumb: { label: 'Templates', to: '/templates' } },
  component: Templates,
})

function Templates() {
  return <TemplateList />
}

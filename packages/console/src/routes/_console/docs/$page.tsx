import { createFileRoute, notFound } from '@tanstack/react-router'
import { pages } from 'virtual:docs/contents'
import { DocArticle } from '#/features/docs/DocArticle.tsx'
import { loadWithRetry } from '#/ui/lazy-part.tsx'

export const Route = createFileRoute('/_console/docs/$page')({
  loader: async ({ params }) => {
    const load = pages[params.page]
    if (!load) throw notFound()
    const { default: page } = await loadWithRetry(load)
    return { crumb: page.title, page }
  },
  staticData: { crumb: { param: 'page', to: '/docs/$page' } },
  component: Page,
})

function Page() {
  const { page } = Route.useLoaderData()
  return <DocArticle {...page} />
}

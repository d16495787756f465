import { createFileRoute, redirect } from '@tanstack/react-router'
import { siloLink, siloTabs } from '#/features/silos/links.ts'

/** Other clients of these addresses give the tab in the query. */
export const Route = createFileRoute('/_console/system/silos/$silo/')({
  beforeLoad: ({ params, search }) => {
    const { tab: wanted } = search as { tab?: unknown }
    throw redirect({
      ...siloLink(
        params.silo,
        siloTabs.find((tab) => tab === wanted),
      ),
      replace: true,
    })
  },
})

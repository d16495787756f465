import { createFileRoute } from '@tanstack/react-router'
import { tagDemand } from '#/features/tags/demand.ts'
import { siloTagKeys, TagsPage } from '#/features/tags/TagsPage.tsx'

export const Route = createFileRoute('/_console/_silo/tags')({
  loader: ({ context }) => Promise.all([context.prefetch(siloTagKeys), context.prefetch(tagDemand)]),
  staticData: { crumb: { label: 'Tags', to: '/tags' } },
  component: TagsPage,
})

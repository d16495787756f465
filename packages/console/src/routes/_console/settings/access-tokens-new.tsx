import { createFileRoute } from '@tanstack/react-router'
import { NewToken } from '#/features/access-tokens/NewToken.tsx'
import { authSettings } from '#/features/access-tokens/queries.ts'
import { allProjects } from '#/features/projects/queries.ts'

export const Route = createFileRoute('/_console/settings/access-tokens-new')({
  loader: ({ context }) => Promise.all([context.prefetch(authSettings), context.prefetch(allProjects)]),
  staticData: { crumb: { label: 'Access Tokens', to: '/settings/access-tokens' }, title: 'New access token' },
  component: NewToken,
})

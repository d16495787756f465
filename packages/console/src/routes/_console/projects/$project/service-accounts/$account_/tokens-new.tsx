import { createFileRoute } from '@tanstack/react-router'
import { authSettings } from '#/features/access-tokens/queries.ts'
import { allProjects } from '#/features/projects/queries.ts'
import { NewAccountToken } from '#/features/service-accounts/AccountForms.tsx'

export const Route = createFileRoute('/_console/projects/$project/service-accounts/$account_/tokens-new')({
  loader: ({ context }) => Promise.all([context.prefetch(authSettings), context.prefetch(allProjects)]),
  staticData: {
    crumb: [
      { label: 'Service accounts', to: '/projects/$project/service-accounts' },
      { param: 'account', to: '/projects/$project/service-accounts/$account' },
    ],
    title: 'New access token',
  },
  component: NewAccountToken,
})

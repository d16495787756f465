import { createFileRoute } from '@tanstack/react-router'
import { authSettings } from '#/features/access-tokens/queries.ts'
import { allProjects } from '#/features/projects/queries.ts'
import { NewAccountToken } from '#/features/service-accounts/AccountForms.tsx'

export const Route = createFileRoute('/_console/_silo/service-accounts/$account_/tokens-new')({
  loader: ({ context }) => Promise.all([context.prefetch(authSettings), context.prefetch(allProjects)]),
  staticData: {
    crumb: [
      { label: 'Service accounts', to: '/service-accounts' },
      { param: 'account', to: '/service-accounts/$account' },
    ],
    title: 'New access token',
  },
  component: NewAccountToken,
})

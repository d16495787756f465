import { createFileRoute } from '@tanstack/react-router'
import { EditAccount } from '#/features/service-accounts/AccountForms.tsx'
import { accountView } from '#/features/service-accounts/queries.ts'

export const Route = createFileRoute('/_console/_silo/service-accounts/$account/edit')({
  loader: ({ context, params }) => context.renew(accountView(undefined, params.account)),
  staticData: { title: 'Edit service account' },
  component: EditAccount,
})

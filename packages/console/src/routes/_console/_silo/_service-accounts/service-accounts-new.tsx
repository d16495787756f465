import { createFileRoute } from '@tanstack/react-router'
import { NewAccount } from '#/features/service-accounts/AccountForms.tsx'

export const Route = createFileRoute('/_console/_silo/_service-accounts/service-accounts-new')({
  staticData: { title: 'New service account' },
  component: NewAccount,
})

import { createFileRoute, redirect } from '@tanstack/react-router'
import { sledLink } from '#/features/inventory/links.ts'

export const Route = createFileRoute('/_console/system/inventory/sleds/$sled/')({
  beforeLoad: ({ params: { sled } }) => {
    throw redirect({ ...sledLink(sled), replace: true })
  },
})

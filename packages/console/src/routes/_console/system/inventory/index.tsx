import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_console/system/inventory/')({
  beforeLoad: () => {
    throw redirect({ to: '/system/inventory/sleds', replace: true })
  },
})

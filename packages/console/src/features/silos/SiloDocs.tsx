import { DocsPopover } from '#/features/common/DocsPopover.tsx'

export function SiloDocs() {
  return (
    <DocsPopover topic="silos">
      Silos strictly separate tenants. Each has its own users, roles, quotas, IP pools and subdomain, and its
      users see nothing of other silos.
    </DocsPopover>
  )
}

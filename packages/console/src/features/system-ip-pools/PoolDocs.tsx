import { DocsPopover } from '#/features/common/DocsPopover.tsx'

export const PoolDocs = () => (
  <DocsPopover topic="IP pools">
    An IP pool is a set of address ranges. Instances in linked silos get their external addresses from it:
    ephemeral IPs, floating IPs and the shared addresses of outbound traffic. A silo uses its default pool
    when a request names none.
  </DocsPopover>
)

import { DocsPopover } from '#/features/common/DocsPopover.tsx'

export function VpcDocs() {
  return (
    <DocsPopover topic="VPCs">
      A VPC is a private network for a group of instances. Firewall rules control traffic between its
      instances. Instances in other VPCs are reachable only at external IPs.
    </DocsPopover>
  )
}

import { DocsPopover } from '../../common/DocsPopover.tsx'

export function VpcDocs() {
  return (
    <DocsPopover topic="VPCs">
      A VPC is a private network for a group of instances. Its instances reach each other as its firewall
      rules allow. What is in another VPC is reached only at external IPs.
    </DocsPopover>
  )
}

import { DocsPopover } from '../../../common/DocsPopover.tsx'

export function RouterDocs() {
  return (
    <DocsPopover topic="routers">
      A router is a collection of routes that direct the traffic of a VPC. The system router serves every
      subnet; a custom router serves the subnets it is attached to, and its routes take precedence.
    </DocsPopover>
  )
}

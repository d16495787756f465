import { DocsPopover } from '../../common/DocsPopover.tsx'

export function FloatingIpDocs() {
  return (
    <DocsPopover topic="floating IPs">
      A floating IP belongs to a project, not to an instance. It attaches to one instance at a time, can move
      to another, and outlives the instance.
    </DocsPopover>
  )
}

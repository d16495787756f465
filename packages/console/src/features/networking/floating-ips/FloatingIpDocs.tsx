import { DocsPopover } from '../../common/DocsPopover.tsx'

export function FloatingIpDocs() {
  return (
    <DocsPopover topic="floating IPs">
      A floating IP is an address that belongs to the project and not to an instance. It is attached to one
      instance at a time, can be moved to another, and stays when the instance is deleted.
    </DocsPopover>
  )
}

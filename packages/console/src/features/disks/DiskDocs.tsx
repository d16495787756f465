import { DocsPopover } from '../common/DocsPopover.tsx'

export function DiskDocs() {
  return (
    <DocsPopover topic="disks">
      A disk is storage that an instance sees as a drive. It lives on its own: it can be attached to one
      instance at a time, kept when the instance is deleted, and copied by a snapshot while it is in use.
    </DocsPopover>
  )
}

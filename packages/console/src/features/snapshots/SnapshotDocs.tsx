import { DocsPopover } from '../common/DocsPopover.tsx'

export function SnapshotDocs() {
  return (
    <DocsPopover topic="snapshots">
      A snapshot is a point-in-time copy of a disk. You can create disks and images from it, even after the
      disk is deleted.
    </DocsPopover>
  )
}

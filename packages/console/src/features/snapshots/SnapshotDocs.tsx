import { DocsPopover } from '../common/DocsPopover.tsx'

export function SnapshotDocs() {
  return (
    <DocsPopover topic="snapshots">
      A snapshot is a disk as it was at one moment. New disks and images can be made from it, also when the
      disk itself has long gone.
    </DocsPopover>
  )
}

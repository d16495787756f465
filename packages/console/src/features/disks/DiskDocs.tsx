import { DocsPopover } from '../common/DocsPopover.tsx'

export function DiskDocs() {
  return (
    <DocsPopover topic="disks">
      A disk is persistent storage that an instance sees as a drive. It attaches to one instance at a time,
      outlives the instance, and can be copied by a snapshot while in use.
    </DocsPopover>
  )
}

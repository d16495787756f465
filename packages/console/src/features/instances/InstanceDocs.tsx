import { DocsPopover } from '../common/DocsPopover.tsx'

export function InstanceDocs() {
  return (
    <DocsPopover topic="instances">
      Instances are virtual machines that run on the sleds of the rack. Each has its CPUs and memory for
      itself while it runs; its disks and addresses stay with it while it is stopped.
    </DocsPopover>
  )
}

import { DocsPopover } from '#/features/common/DocsPopover.tsx'

export function InstanceDocs() {
  return (
    <DocsPopover topic="instances">
      Instances are virtual machines that run on the sleds of the rack. CPU and memory are dedicated while
      running. Disks and addresses stay attached while stopped.
    </DocsPopover>
  )
}

import { DocsPopover } from '#/features/common/DocsPopover.tsx'

export function AffinityDocs() {
  return (
    <DocsPopover topic="affinity">
      Members of an anti-affinity group start on different sleds, so losing one sled does not stop them all.
      Running members are not moved.
    </DocsPopover>
  )
}

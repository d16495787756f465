import { DocsPopover } from '../common/DocsPopover.tsx'

export function AffinityDocs() {
  return (
    <DocsPopover topic="affinity">
      Members of an anti-affinity group are placed on different sleds when they start, so that the loss of one
      sled does not take all of them. Where a member runs already is not changed.
    </DocsPopover>
  )
}

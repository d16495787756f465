// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import type { ExternalSubnet } from './queries.ts'
import { attachedReason } from './reasons.ts'

/** What can be done with many of them; `whyNotAllowed` is why the user may not. */
export const bulkExternalSubnets = (whyNotAllowed: string | undefined): Bulk<ExternalSubnet> => ({
  kind: 'external-subnet',
  noun: 'external subnet',
  whyNotAllowed,
  whyNotDelete: ({ instanceId }) => (instanceId ? attachedReason : undefined),
  gone: 'Their blocks return to their pools, and others may get them.',
})

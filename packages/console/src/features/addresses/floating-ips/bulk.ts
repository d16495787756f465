// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import type { FloatingIp } from '../queries.ts'

/** What can be done with many of them; `whyNotAllowed` is why the user may not. */
export const bulkFloatingIps = (whyNotAllowed: string | undefined): Bulk<FloatingIp> => ({
  kind: 'floating-ip',
  noun: 'floating IP',
  whyNotAllowed,
  whyNotDelete: ({ instanceId }) =>
    instanceId ? 'The floating IP must be detached before it can be deleted' : undefined,
  gone: 'Their addresses return to their pools, and others may get them.',
})

// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import type { Vpc } from './queries.ts'

/** What can be done with many of them; `whyNotAllowed` is why the user may not. */
export const bulkVpcs = (whyNotAllowed: string | undefined): Bulk<Vpc> => ({
  kind: 'vpc',
  noun: 'VPC',
  whyNotAllowed,
  gone: 'They are gone for good then.',
  besides: 'Their subnets, firewall rules, routers and internet gateways are deleted with them.',
})

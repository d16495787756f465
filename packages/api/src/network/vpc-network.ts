import { z } from 'zod'
import { FailureReason } from '../extensions.ts'
import { family, get } from '../op.ts'
import { InProject, named, NameOrId, Timestamp } from '../schema.ts'

const VpcNetworkState = named(
  'VpcNetworkState',
  z.object({
    /** Pending while the hosts do not have the latest state of the records in force. */
    state: z.enum(['applied', 'pending']),
    /** Raised whenever the records change what packets may do. */
    generation: z.number().int(),
    since: Timestamp,
    /** Why it is still pending, if bringing it into force failed; or which external addresses do not work, and why. */
    problem: FailureReason.nullable(),
  }),
)
export type VpcNetworkState = z.infer<typeof VpcNetworkState>

const VpcNetworkStatus = named(
  'VpcNetworkStatus',
  z.object({
    /** Null on a fleet that carries no packets, and soon after the last instance of a VPC has ended. */
    network: VpcNetworkState.nullable(),
  }),
)

export const vpcNetworkOps = family('extensions', [], {
  vpcNetworkView: get('/ext/v1/vpcs/{vpc}/network', {
    summary: "View whether a VPC's network is in force as its records say",
    path: z.object({ vpc: NameOrId }),
    query: InProject,
    returns: VpcNetworkStatus,
    reads: ['vpc', 'vpc-network'],
  }),
})

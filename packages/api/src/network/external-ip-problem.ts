import { z } from 'zod'
import { externalIpProblems } from './external-ip-problem.rules.ts'
import { family, get } from '../op.ts'
import { InProject, maybe, named, NameOrId } from '../schema.ts'

const ExternalIpProblem = named(
  'ExternalIpProblem',
  z.object({
    kind: z.enum(['floating', 'ephemeral', 'snat']),
    ip: z.string(),
    code: z.enum(externalIpProblems),
    message: z.string(),
    /** What to do about it. */
    next_step: z.string(),
    /** The VPC whose internet gateways decide about the address, if that is the reason. */
    vpc_name: maybe(z.string()),
  }),
)

export const externalIpProblemOps = family('extensions', [], {
  instanceExternalIpProblemList: get('/ext/v1/instances/{instance}/external-ip-problems', {
    summary: 'List the external addresses of an instance that do not work, with the reasons',
    path: z.object({ instance: NameOrId }),
    query: InProject,
    returns: named('ExternalIpProblems', z.object({ items: z.array(ExternalIpProblem) })),
    reads: [
      'instance',
      'instance-network-interface',
      'external-ip',
      'floating-ip',
      'vpc',
      'vpc-network',
      'internet-gateway',
      'internet-gateway-ip-pool',
      'internet-gateway-ip-address',
    ],
  }),
})
export type ExternalIpProblem = z.infer<typeof ExternalIpProblem>

import { z } from 'zod'
import { Refused } from './extensions.ts'
import { CpuCount } from './instance.ts'
import { family, post } from './op.ts'
import { sledReasonNames } from './placement.rules.ts'
import { ByteCount, list, named, NameOrId, OfProject } from './schema.ts'

export const PlacementCheck = named(
  'PlacementCheck',
  z.object({
    ncpus: CpuCount,
    memory: ByteCount,
    anti_affinity_groups: list(NameOrId).default([]),
    affinity_groups: list(NameOrId).default([]),
  }),
)
export type PlacementCheck = z.infer<typeof PlacementCheck>

/** What the silo has of one thing, and whether the request would go over it. */
const quotaOf = <Amount extends z.ZodType>(amount: Amount) =>
  z.object({ requested: amount, provisioned: amount, allocated: amount, exceeded: z.boolean() })

export const PlacementCheckResult = named(
  'PlacementCheckResult',
  z.object({
    /** Whether an instance of this size would start now. */
    fits: z.boolean(),
    /** Sleds that could take it, of all there are. */
    candidates: z.number().int(),
    sleds: z.number().int(),
    quota: z.object({ cpus: quotaOf(z.number().int()), memory: quotaOf(ByteCount) }),
    /** Why the other sleds could not, the commonest reason first. */
    reasons: z.array(
      z.object({
        reason: z.enum(sledReasonNames),
        message: z.string(),
        help: z.string(),
        count: z.number().int(),
        /** Which ones and what is short on each, for those who may see the fleet; null for the others. */
        sleds: z.array(z.object({ serial: z.string(), message: z.string() })).nullable(),
      }),
    ),
    /** What a start would be refused with; null when it fits. */
    refusal: Refused.nullable(),
  }),
)
export type PlacementCheckResult = z.infer<typeof PlacementCheckResult>

export const placementCheckOps = family('extensions', [], {
  placementCheck: post('/ext/v1/placement-checks', {
    summary: 'Check whether and where an instance of a size would be placed now, without changing anything',
    query: OfProject,
    body: PlacementCheck,
    returns: PlacementCheckResult,
    status: 200,
    reads: ['instance', 'utilization', 'sled', 'affinity-group', 'anti-affinity-group'],
  }),
})

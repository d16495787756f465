import { z } from 'zod'
import { Refused } from '../extensions.ts'
import { CpuCount, CpuPlatform } from './instance.ts'
import { family, post } from '../op.ts'
import { sledReasonNames } from './placement.rules.ts'
import { ByteCount, list, maybe, named, NameOrId, OfProject } from '../schema.ts'

export const PlacementCheck = named(
  'PlacementCheck',
  z.object({
    ncpus: CpuCount,
    memory: ByteCount,
    /** Null for every sled. */
    cpu_platform: maybe(CpuPlatform),
    anti_affinity_groups: list(NameOrId).default([]),
    affinity_groups: list(NameOrId).default([]),
  }),
)
export type PlacementCheck = z.infer<typeof PlacementCheck>

/** One of the silo's quotas, and whether the request would exceed it. */
const quotaOf = <Amount extends z.ZodType>(amount: Amount) =>
  z.object({ requested: amount, provisioned: amount, allocated: amount, exceeded: z.boolean() })

export const PlacementCheckResult = named(
  'PlacementCheckResult',
  z.object({
    /** Whether an instance of this size would start now. */
    fits: z.boolean(),
    /** Number of sleds that could take it. */
    candidates: z.number().int(),
    sleds: z.number().int(),
    quota: z.object({ cpus: quotaOf(z.number().int()), memory: quotaOf(ByteCount) }),
    /** Why the other sleds could not, most common reason first. */
    reasons: z.array(
      z.object({
        reason: z.enum(sledReasonNames),
        message: z.string(),
        help: z.string(),
        count: z.number().int(),
        /** The sleds with their shortages, for callers who may read the fleet; null for others. */
        sleds: z.array(z.object({ serial: z.string(), message: z.string() })).nullable(),
      }),
    ),
    /** The refusal of a start; null when it fits. */
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
    onlyReads: true,
    reads: ['instance', 'utilization', 'sled', 'affinity-group', 'anti-affinity-group'],
  }),
})

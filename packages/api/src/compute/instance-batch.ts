import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { family, get, post } from '../op.ts'
import { maybe, Name, named, OfProject, text } from '../schema.ts'
import { InstanceCreate } from './instance.ts'
import { InstanceAction } from './instance-action.ts'
import { batchLimits } from './instance-batch.rules.ts'

const { instances, lastNumber, pattern } = batchLimits
const Pattern = text(pattern, `A pattern has at most ${pattern} characters. Shorten it.`)
const numbers = {
  first: z.coerce.number().int().min(0).max(lastNumber).default(1),
  count: z.coerce.number().int().min(1).max(instances, `expected at most ${instances} instances`),
}

export const InstanceBatchCreate = named(
  'InstanceBatchCreate',
  z.object({
    /** With `{n}` where the number of each instance goes: `web-{n}`. */
    name_pattern: Pattern,
    /** Likewise; absent for the names. */
    hostname_pattern: maybe(Pattern),
    first: z.number().int().min(0).max(lastNumber).default(1),
    count: z.number().int().min(1).max(instances, `expected at most ${instances} instances`),
    /** What all have in common. The names of disks are the beginning of the names of each instance's disks. */
    instance: named('InstanceBatchMember', InstanceCreate.omit({ name: true, hostname: true })),
  }),
)
export type InstanceBatchCreate = z.infer<typeof InstanceBatchCreate>

const InstanceBatchNames = named(
  'InstanceBatchNames',
  z.object({
    /** Those of the names that instances have. */
    taken: z.array(Name),
    /** The number after the highest of an instance with a name of the pattern; null if there is none. */
    next: z.number().int().nullable(),
  }),
)
export type InstanceBatchNames = z.infer<typeof InstanceBatchNames>

export const instanceBatchOps = family('extensions', ['instance-action'], {
  instanceBatchCreate: post('/ext/v1/instance-batches', {
    summary: 'Create several instances of a project that differ in their names',
    query: OfProject,
    body: InstanceBatchCreate,
    bodyMax: 256 * KiB,
    returns: InstanceAction,
    status: 202,
  }),
  instanceBatchNames: get('/ext/v1/instance-batch-names', {
    summary: 'Check which names of a pattern instances of a project have',
    query: OfProject.extend({ name_pattern: Pattern, ...numbers }),
    returns: InstanceBatchNames,
    reads: ['instance'],
  }),
})

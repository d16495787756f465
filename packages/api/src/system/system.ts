import { z } from 'zod'
import { faultKinds } from '../extensions.rules.ts'
import { del, family, get, put } from '../op.ts'
import { ByteCount, list, maybe, named, text, Timestamp, Uuid } from '../schema.ts'
import { VirtualResourceCounts } from '../people/silo.ts'
import { issueKinds, issueLimits, issueSeverities } from './system.rules.ts'

const IssueAcknowledgement = named(
  'IssueAcknowledgement',
  z.object({ note: z.string(), user_name: z.string(), time_created: Timestamp }),
)
export type IssueAcknowledgement = z.infer<typeof IssueAcknowledgement>

export const SystemIssue = named(
  'SystemIssue',
  z.object({
    /** Stable: the same issue has the same id in every response. */
    id: z.string(),
    kind: z.enum(issueKinds),
    severity: z.enum(issueSeverities),
    /** Null if its beginning was not recorded. */
    since: Timestamp.nullable(),
    /** Null while it is open. */
    ended: Timestamp.nullable(),
    message: z.string(),
    /** What to do about it. */
    next_step: z.string(),
    /** The id of the open issue that caused it. */
    cause: z.string().nullable(),
    /** How many open issues it caused. */
    effects: z.number().int(),
    /** The fault to end, if it is one. */
    fault: z.object({ id: Uuid, kind: z.enum(faultKinds) }).nullable(),
    /** Who has seen it, until it ends. */
    acknowledgement: IssueAcknowledgement.nullable(),
    /** The affected object, with the names of its parents, if any. */
    touches: z.array(
      z.object({
        kind: z.enum(['instance', 'sled', 'job', 'ip-pool', 'silo', 'certificate', 'metric-query']),
        id: Uuid,
        name: z.string(),
        project_name: z.string().nullable(),
        silo_name: z.string().nullable(),
      }),
    ),
  }),
)
export type SystemIssue = z.infer<typeof SystemIssue>

/** The formula of the estimate with all its factors. */
const CapacityEstimate = named(
  'CapacityEstimate',
  z.object({
    sleds: z.number().int(),
    hardware_threads: z.number().int(),
    /** How many vCPUs share a thread; 1 on a simulated rack. */
    vcpus_per_thread: z.number(),
    physical_ram: ByteCount,
    utilization_factor: z.number(),
    storage_per_sled_tb: z.number(),
    tib_per_tb: z.number(),
    /** vCPUs: factor x hardware threads x vCPUs per thread, rounded up. */
    cpus: z.number().int(),
    /** Bytes: factor x physical RAM, rounded up to a GiB. */
    memory: ByteCount,
    /** Bytes: factor x terabytes of a sled x TiB of a terabyte x sleds, rounded up to a TiB. */
    storage: ByteCount,
  }),
)
export type CapacityEstimate = z.infer<typeof CapacityEstimate>

export const SystemCapacity = named(
  'SystemCapacity',
  z.object({
    /** The use of silos, and the amounts that their quotas reserve. */
    provisioned: VirtualResourceCounts,
    allocated: VirtualResourceCounts,
    /** Sleds in service, and what instances have reserved of them. */
    physical: z.object({
      sleds: z.number().int(),
      hardware_threads: z.number().int(),
      /** That may be reserved of the threads. */
      vcpus: z.number().int(),
      physical_ram: ByteCount,
      /** Memory set aside for instances. */
      reservoir: ByteCount,
      threads_reserved: z.number().int(),
      memory_reserved: ByteCount,
    }),
    estimate: CapacityEstimate,
  }),
)
export type SystemCapacity = z.infer<typeof SystemCapacity>

const SystemOverview = named(
  'SystemOverview',
  z.object({
    fleet: z.object({
      racks: z.number().int(),
      sleds: z.number().int(),
      /** Each sled in service counts once: as lost, else as draining, else by its provision policy. */
      provisionable: z.number().int(),
      not_provisionable: z.number().int(),
      /** Marked lost by a fault, or hosts that the fleet cannot reach. */
      lost: z.number().int(),
      draining: z.number().int(),
      uninitialized: z.number().int(),
      /** Nothing real runs on it. */
      is_simulated: z.boolean(),
      /** The engines that run machines, if the fleet has found its hosts itself. */
      engines: z.array(z.string()),
    }),
    instances: z.object({
      running: z.number().int(),
      failed: z.number().int(),
      total: z.number().int(),
    }),
    silos: z.number().int(),
    capacity: SystemCapacity,
    /** Open issues, counted by kind. */
    issues: z.array(z.object({ kind: z.enum(issueKinds), count: z.number().int() })),
    /** Most severe first, then newest; each is followed by some of the issues that it caused. */
    worst: z.array(SystemIssue),
  }),
)
export type SystemOverview = z.infer<typeof SystemOverview>

/** The kind, then what distinguishes the issue: at most a UUID and the name of a quota or of a component. */
const issuePath = z.object({
  issue: text(128).regex(
    /^[a-z_]+(:[a-z0-9_-]+)+$/,
    'an id of an issue is its kind and a key, as in fault:KEY',
  ),
})

export const systemOps = {
  ...family(
    'extensions',
    [
      'sled',
      'fault',
      'instance',
      'ip-pool',
      'silo-quotas',
      'utilization',
      'certificate',
      'issue-acknowledgement',
    ],
    {
      systemOverviewView: get('/ext/v1/system/overview', {
        summary: "Fetch the rack's health, capacity and open issues",
        returns: SystemOverview,
      }),
      systemIssueList: get('/ext/v1/system/issues', {
        summary: 'List open and resolved problems of the installation',
        query: z.object({
          state: maybe(z.enum(['open', 'past'])),
          kind: maybe(list(z.enum(issueKinds))),
        }),
        returns: named(
          'SystemIssues',
          z.object({
            items: z.array(SystemIssue),
            /** Kinds with more issues than are listed. */
            cut: z.array(z.enum(issueKinds)),
          }),
        ),
      }),
      issueAcknowledge: put('/ext/v1/system/issues/{issue}/acknowledgement', {
        changes: ['issue-acknowledgement'],
        summary: 'Acknowledge an open issue with a note, which is shown until the issue ends',
        path: issuePath,
        body: named('IssueAcknowledge', z.object({ note: text(issueLimits.noteMax) })),
        returns: IssueAcknowledgement,
      }),
      issueAcknowledgementRemove: del('/ext/v1/system/issues/{issue}/acknowledgement', {
        changes: ['issue-acknowledgement'],
        summary: 'Withdraw the acknowledgement of an issue',
        path: issuePath,
      }),
      systemCapacityView: get('/ext/v1/system/capacity', {
        summary: "Fetch the rack's capacity, the silos' quotas, and an estimate of the remaining capacity",
        returns: SystemCapacity,
      }),
    },
  ),
}

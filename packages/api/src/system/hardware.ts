import { z } from 'zod'
import { cpuFamilies } from '../compute/cpu-platform.rules.ts'
import {
  diskFormFactors,
  drainItemStates,
  drainModes,
  drainStates,
  hardwareStates,
  outageOutcomes,
  outageStartsAtOnce,
  provisionPolicies,
  sledConditions,
} from './hardware.rules.ts'
import { u16 } from '../base/uint.ts'
import { Refused } from '../extensions.ts'
import { InstanceState } from '../compute/instance.ts'
import { family, get, post, put } from '../op.ts'
import {
  ByteCount,
  IdPaging,
  idSorts,
  named,
  Name,
  pageOf,
  pageTokenMax,
  paging,
  text,
  Timestamp,
  Uuid,
} from '../schema.ts'

const times = { time_created: Timestamp, time_modified: Timestamp }
const Baseboard = named(
  'Baseboard',
  z.object({ part: z.string(), serial: z.string(), revision: z.number().int().nonnegative() }),
)

export const Rack = named('Rack', z.object({ id: Uuid, ...times }))
export type Rack = z.infer<typeof Rack>

const ProvisionPolicy = named('SledProvisionPolicy', z.enum(provisionPolicies))
const expunged = z.object({ kind: z.literal('expunged') })
const SledPolicy = named(
  'SledPolicy',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('in_service'), provision_policy: ProvisionPolicy }),
    expunged,
  ]),
)
export const Sled = named(
  'Sled',
  z.object({
    id: Uuid,
    ...times,
    baseboard: Baseboard,
    rack_id: Uuid,
    policy: SledPolicy,
    state: named('SledState', z.enum(hardwareStates)),
    usable_hardware_threads: z.number().int().nonnegative(),
    usable_physical_ram: ByteCount,
    /** Its place in the rack; null while it is unknown. */
    slot: u16.nullable(),
  }),
)
export type Sled = z.infer<typeof Sled>

export const SledInstance = named(
  'SledInstance',
  z.object({
    id: Uuid,
    ...times,
    active_sled_id: Uuid,
    migration_id: Uuid.nullable(),
    name: Name,
    silo_name: Name,
    project_name: Name,
    state: InstanceState,
    ncpus: z.number().int(),
    memory: z.number().int(),
  }),
)
export type SledInstance = z.infer<typeof SledInstance>

export const DiskFormFactor = named('PhysicalDiskKind', z.enum(diskFormFactors))

export const PhysicalDisk = named(
  'PhysicalDisk',
  z.object({
    id: Uuid,
    ...times,
    policy: named(
      'PhysicalDiskPolicy',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('in_service') }), expunged]),
    ),
    state: named('PhysicalDiskState', z.enum(hardwareStates)),
    sled_id: Uuid.nullable(),
    vendor: z.string(),
    serial: z.string(),
    model: z.string(),
    form_factor: DiskFormFactor,
  }),
)
export type PhysicalDisk = z.infer<typeof PhysicalDisk>

export const Switch = named('Switch', z.object({ id: Uuid, ...times, baseboard: Baseboard, rack_id: Uuid }))
export type Switch = z.infer<typeof Switch>

const UninitializedSled = named(
  'UninitializedSled',
  z.object({ baseboard: Baseboard, rack_id: Uuid, cubby: z.number().int().nonnegative() }),
)
export type UninitializedSled = z.infer<typeof UninitializedSled>

const boardText = text(128)
const SledToAdd = named('UninitializedSledId', z.object({ serial: boardText, part: boardText }))
export type SledToAdd = z.infer<typeof SledToAdd>

/** Everything that the rack view shows of a sled. */
const SledUse = named(
  'SledUse',
  z.object({
    sled: Sled,
    /** The slot in the rack, from 0 at the bottom. */
    cubby: z.number().int(),
    /** vCPUs reserved by instances, and the total available to them: several share a thread of a real host. */
    threads: z.object({ used: z.number().int(), total: z.number().int() }),
    memory: z.object({ used: ByteCount, total: ByteCount }),
    condition: z.enum(sledConditions),
    /** Since when it is marked lost by a fault, or out of the fleet's reach. */
    lost_since: Timestamp.nullable(),
    /** The engine that runs machines on it, if the fleet has found the host itself. */
    engine: z.string().nullable(),
    /** The family of its processors; null while it is unknown, as of every real host. */
    cpu_family: z.enum(cpuFamilies).nullable(),
    /** The drain in progress. */
    drain_id: Uuid.nullable(),
    instances: z.array(
      z.object({
        id: Uuid,
        name: z.string(),
        project_name: z.string(),
        silo_name: z.string(),
        state: InstanceState,
        ncpus: z.number().int(),
        memory: ByteCount,
        anti_affinity_groups: z.array(z.object({ id: Uuid, name: z.string() })),
      }),
    ),
  }),
)
export type SledUse = z.infer<typeof SledUse>

const OutageInstance = z.object({
  id: Uuid,
  name: z.string(),
  project_name: z.string(),
  silo_name: z.string(),
  state: InstanceState,
  outcome: z.enum(outageOutcomes),
  /** Why it failed, and what to do; null otherwise. */
  reason: z.string().nullable(),
  next_step: z.string().nullable(),
  /** The sled that it runs on now. */
  sled: z.object({ id: Uuid, serial: z.string() }).nullable(),
  time_down: Timestamp,
  /** When its next machine started. */
  time_back: Timestamp.nullable(),
})

/** The instances that a sled's loss took down, with their outcomes. Empty for a sled that is not lost. */
export const SledOutage = named(
  'SledOutage',
  z.object({
    since: Timestamp.nullable(),
    /** Faults that mark the sled lost: it is back when they are ended. Empty if the fleet cannot reach the host. */
    faults: z.array(Uuid),
    /** All instances that were on it, counted by what became of them. */
    outcomes: z.array(z.object({ outcome: z.enum(outageOutcomes), count: z.number().int() })),
    /** Those that need an operator first; the counts include those that are not listed. */
    instances: z.array(OutageInstance),
  }),
)
export type SledOutage = z.infer<typeof SledOutage>

const SledOutageStart = named(
  'SledOutageStart',
  z.object({
    instances: z
      .array(Uuid)
      .min(1, 'expected at least one instance')
      .max(outageStartsAtOnce, `expected at most ${outageStartsAtOnce} instances`),
  }),
)

/** The outcome of each requested start, in the requested order and without duplicates. */
export const SledOutageStarted = named(
  'SledOutageStarted',
  z.object({
    items: z.array(
      z.object({
        instance_id: Uuid,
        /** Why it was not started; null if it starts. */
        error: Refused.nullable(),
      }),
    ),
  }),
)
export type SledOutageStarted = z.infer<typeof SledOutageStarted>

export const SledDrain = named(
  'SledDrain',
  z.object({
    id: Uuid,
    sled_id: Uuid,
    mode: z.enum(drainModes),
    state: z.enum(drainStates),
    /** Instances on the sled when the drain began, or found there later. */
    instances: z.array(
      z.object({
        instance: z.object({ id: Uuid, name: z.string(), project_name: z.string(), silo_name: z.string() }),
        state: z.enum(drainItemStates),
        /** The target sled. */
        sled_id: Uuid.nullable(),
        /** Why it is still there; null otherwise. */
        reason: z.string().nullable(),
      }),
    ),
    /** Number of these instances that no longer run on the sled. */
    finished: z.number().int(),
    total: z.number().int(),
    time_created: Timestamp,
    time_ended: Timestamp.nullable(),
  }),
)
export type SledDrain = z.infer<typeof SledDrain>

const sledPath = z.object({ sled_id: Uuid })
const byId = { query: IdPaging, sorts: idSorts } as const

export const hardwareOps = {
  ...family('system/hardware', ['rack'], {
    rackList: get('/v1/system/hardware/racks', {
      ...byId,
      summary: 'List racks',
      returns: pageOf('Rack', Rack),
    }),
    rackView: get('/v1/system/hardware/racks/{rack_id}', {
      summary: 'Fetch a rack',
      noScreen: { shownBy: 'rackList' },
      path: z.object({ rack_id: Uuid }),
      returns: Rack,
    }),
  }),
  ...family('system/hardware', ['sled'], {
    sledList: get('/v1/system/hardware/sleds', {
      ...byId,
      summary: 'List sleds in service',
      returns: pageOf('Sled', Sled),
    }),
    sledAdd: post('/v1/system/hardware/sleds', {
      until: 2026021900,
      changes: ['sled', 'physical-disk', 'rack-membership'],
      noScreen: { sentBy: 'programs of former versions; the page sends rackMembershipAddSleds' },
      summary: 'Add an uninitialized sled to the rack',
      body: SledToAdd,
      returns: named('SledId', z.object({ id: Uuid })),
    }),
    sledView: get('/v1/system/hardware/sleds/{sled_id}', {
      summary: 'Fetch a sled',
      path: sledPath,
      returns: Sled,
    }),
    sledInstanceList: get('/v1/system/hardware/sleds/{sled_id}/instances', {
      ...byId,
      reads: ['sled', 'instance'],
      summary: 'List the instances that run on a sled',
      path: sledPath,
      returns: pageOf('SledInstance', SledInstance),
    }),
    sledSetProvisionPolicy: put('/v1/system/hardware/sleds/{sled_id}/provision-policy', {
      summary: 'Set whether new instances are placed on a sled',
      path: sledPath,
      body: named('SledProvisionPolicyParams', z.object({ state: ProvisionPolicy })),
      returns: named(
        'SledProvisionPolicyResponse',
        z.object({ old_state: ProvisionPolicy, new_state: ProvisionPolicy }),
      ),
    }),
    sledListUninitialized: get('/v1/system/hardware/sleds-uninitialized', {
      reads: ['sled', 'rack-membership'],
      summary: 'List sleds that have not been added to the rack yet',
      query: z.object(paging(pageTokenMax)),
      returns: pageOf('UninitializedSled', UninitializedSled),
    }),
  }),
  ...family('system/hardware', ['physical-disk'], {
    physicalDiskList: get('/v1/system/hardware/disks', {
      ...byId,
      summary: 'List physical disks in service',
      returns: pageOf('PhysicalDisk', PhysicalDisk),
    }),
    physicalDiskView: get('/v1/system/hardware/disks/{disk_id}', {
      summary: 'Fetch a physical disk',
      noScreen: { shownBy: 'physicalDiskList' },
      path: z.object({ disk_id: Uuid }),
      returns: PhysicalDisk,
    }),
    sledPhysicalDiskList: get('/v1/system/hardware/sleds/{sled_id}/disks', {
      ...byId,
      summary: 'List the physical disks of a sled',
      path: sledPath,
      returns: pageOf('PhysicalDisk', PhysicalDisk),
    }),
  }),
  ...family('system/hardware', ['switch'], {
    switchList: get('/v1/system/hardware/switches', {
      ...byId,
      summary: 'List switches',
      returns: pageOf('Switch', Switch),
    }),
    switchView: get('/v1/system/hardware/switches/{switch_id}', {
      summary: 'Fetch a switch',
      noScreen: { shownBy: 'switchList' },
      path: z.object({ switch_id: Uuid }),
      returns: Switch,
    }),
  }),
  ...family('extensions', ['sled', 'sled-drain', 'instance', 'fault'], {
    sledUseList: get('/ext/v1/system/sleds', {
      summary: 'List every sled with its slot, load, health and instances',
      returns: named('SledUses', z.object({ items: z.array(SledUse) })),
    }),
    sledOutageView: get('/ext/v1/system/sleds/{sled_id}/outage', {
      summary: 'Fetch what the loss of a sled took down, and what became of it',
      path: sledPath,
      returns: SledOutage,
    }),
    sledOutageStart: post('/ext/v1/system/sleds/{sled_id}/outage/start', {
      changes: ['instance', 'utilization'],
      summary: 'Start instances that failed with a lost sled on other sleds',
      path: sledPath,
      body: SledOutageStart,
      returns: SledOutageStarted,
      status: 200,
    }),
    sledExpunge: post('/ext/v1/system/sleds/{sled_id}/expunge', {
      changes: ['sled', 'rack-membership'],
      summary: 'Remove a sled for good: it fails what still runs there, and never returns to service',
      path: sledPath,
      returns: Sled,
      status: 200,
    }),
  }),
  ...family('extensions', ['sled-drain'], {
    sledDrainList: get('/ext/v1/system/sleds/{sled_id}/drains', {
      summary: 'List the drains of a sled, the newest first',
      path: sledPath,
      returns: named('SledDrains', z.object({ items: z.array(SledDrain) })),
    }),
    sledDrainCreate: post('/ext/v1/system/sleds/{sled_id}/drains', {
      changes: ['sled-drain', 'sled'],
      summary: 'Drain a sled: place no new instances on it, and move or stop the present ones',
      path: sledPath,
      body: named('SledDrainCreate', z.object({ mode: z.enum(drainModes) })),
      returns: SledDrain,
    }),
    sledDrainView: get('/ext/v1/system/drains/{drain_id}', {
      summary: 'Fetch a drain of a sled with its progress',
      noScreen: { shownBy: 'sledDrainList' },
      path: z.object({ drain_id: Uuid }),
      returns: SledDrain,
    }),
    sledDrainCancel: post('/ext/v1/system/drains/{drain_id}/cancel', {
      summary: 'Cancel a drain without reverting what it has done',
      path: z.object({ drain_id: Uuid }),
      returns: SledDrain,
      status: 200,
    }),
  }),
}

import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { IpVersion } from '../base/ip.ts'
import { FailureReason } from '../extensions.ts'
import { Disk, DiskBackend, DiskPage, DiskPath } from '../storage/disk.ts'
import { FloatingIp } from '../network/floating-ip.ts'
import { cpuPlatforms } from './cpu-platform.rules.ts'
import { cdDrives } from '../storage/cd.rules.ts'
import { HardwareChoice } from '../storage/hardware.ts'
import {
  hostnameMaxLength,
  hostnameProblem,
  instanceLimits,
  instanceParts,
  runStates,
} from './instance.rules.ts'
import { InterfaceCreate } from '../network/network-interface.ts'
import { anyPool, PoolSelector } from '../network/pool-selector.ts'
import { MulticastGroupJoin } from '../network/multicast-group.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  ByteCount,
  identityCreate,
  InProject,
  list,
  listInProject,
  maybe,
  Name,
  named,
  NameOrId,
  nameOrIdSorts,
  OfProject,
  ours,
  pageOf,
  projectPaging,
  text,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { SshKeyPage } from '../people/ssh-key.ts'

export const InstanceState = named('InstanceState', z.enum(runStates))
export const AutoRestartPolicy = named('InstanceAutoRestartPolicy', z.enum(['never', 'best_effort']))
export const CpuCount = named('InstanceCpuCount', z.number().int().min(0).max(65_535))

export const Hostname = named(
  'Hostname',
  text(hostnameMaxLength, 'Max hostname length is 253').superRefine((hostname, context) => {
    const problem = hostnameProblem(hostname)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  }),
)

export const CpuPlatform = named('InstanceCpuPlatform', z.enum(cpuPlatforms))

const InstancePending = named(
  'InstancePending',
  z.object({
    ncpus: CpuCount.nullish(),
    memory: ByteCount.nullish(),
    boot_disk_id: Uuid.nullish(),
    hardware: HardwareChoice.nullish(),
  }),
)
export type InstancePending = z.infer<typeof InstancePending>

export const Instance = named(
  'Instance',
  withIdentity({
    project_id: Uuid,
    ncpus: CpuCount,
    memory: ByteCount,
    hostname: z.string(),
    boot_disk_id: Uuid.nullish(),
    cpu_platform: CpuPlatform.nullish(),
    enable_jumbo_frames: z.boolean(),
    run_state: InstanceState,
    time_run_state_updated: Timestamp,
    auto_restart_policy: AutoRestartPolicy.nullish(),
    auto_restart_enabled: z.boolean(),
    time_last_auto_restarted: Timestamp.nullish(),
    auto_restart_cooldown_expiration: Timestamp.nullish(),
    /** Ours: why the instance is failed, or why it runs and yet cannot continue for now; otherwise null. */
    failure: ours(FailureReason.nullish()),
    /** Ours: what changes with its next start. */
    pending: ours(InstancePending.nullish()),
    /** Ours: the images in its CD drives; null in an empty one. Absent if all are empty. */
    cds: ours(z.array(Uuid.nullable()).nullish()),
    /** Ours: what was selected for its machines in place of what its boot disk says. */
    hardware: ours(HardwareChoice.nullish()),
  }),
)
export type Instance = z.infer<typeof Instance>
export const InstancePage = pageOf('Instance', Instance)

const InstanceDisk = named(
  'InstanceDiskAttachment',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('create'), ...identityCreate, size: ByteCount, disk_backend: DiskBackend }),
    z.object({ type: z.literal('attach'), name: Name }),
  ]),
)
export type InstanceDisk = z.infer<typeof InstanceDisk>

const InstanceInterfaces = named(
  'InstanceNetworkInterfaceAttachment',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('create'), params: list(InterfaceCreate) }),
    z.object({ type: z.literal('default_ipv4') }),
    z.object({ type: z.literal('default_ipv6') }),
    z.object({ type: z.literal('default_dual_stack') }),
    z.object({ type: z.literal('none') }),
  ]),
)

const ExternalIpCreate = named(
  'ExternalIpCreate',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ephemeral'), pool_selector: PoolSelector.default(anyPool) }),
    z.object({ type: z.literal('floating'), floating_ip: NameOrId }),
  ]),
)

/** Base64: four characters for every three bytes, rounded up. */
const userDataMaxLength = Math.ceil(instanceLimits.userData / 3) * 4
/** Standard alphabet with padding, at most 32 KiB once decoded. */
const UserData = text(userDataMaxLength, 'user data must be less than 32 KiB').superRefine(
  (given, context) => {
    const good = given.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(given)
    if (!good)
      context.addIssue({ code: 'custom', message: 'invalid value: string, expected a valid base64 string' })
    else if ((given.length / 4) * 3 - (given.match(/=+$/)?.[0].length ?? 0) > instanceLimits.userData)
      context.addIssue({ code: 'custom', message: 'user data must be less than 32 KiB' })
  },
)

export const InstanceCreate = named(
  'InstanceCreate',
  z.object({
    ...identityCreate,
    ncpus: CpuCount,
    memory: ByteCount,
    hostname: Hostname,
    user_data: UserData.default(''),
    /** By default with one address of each IP version that the fleet carries. */
    network_interfaces: InstanceInterfaces.optional().meta({ default: { type: 'default_dual_stack' } }),
    external_ips: list(ExternalIpCreate).default([]),
    disks: list(InstanceDisk).default([]),
    boot_disk: maybe(InstanceDisk),
    ssh_public_keys: maybe(list(NameOrId)),
    start: z.boolean().default(true),
    auto_restart_policy: maybe(AutoRestartPolicy),
    anti_affinity_groups: list(NameOrId).default([]),
    cpu_platform: maybe(CpuPlatform),
    enable_jumbo_frames: z.boolean().default(false),
    multicast_groups: list(MulticastGroupJoin).default([]),
    /** Ours: images for its CD drives, in their order. */
    cds: ours(maybe(list(NameOrId.nullable(), cdDrives))),
    /** Ours: what its machines have in place of what its boot disk says. */
    hardware: ours(maybe(HardwareChoice)),
  }),
)
export type InstanceCreate = z.infer<typeof InstanceCreate>

/**
 * A full replacement. The reference treats an absent `boot_disk` or `auto_restart_policy` as null ("unset"),
 * so callers echo what they do not change.
 */
export const InstanceUpdate = named(
  'InstanceUpdate',
  z.object({
    ncpus: CpuCount,
    memory: ByteCount,
    boot_disk: maybe(NameOrId),
    auto_restart_policy: maybe(AutoRestartPolicy),
    /** Null for every sled. Absent from older requests: unchanged. */
    cpu_platform: maybe(CpuPlatform),
    /** Absent from older requests: unchanged. */
    enable_jumbo_frames: z.boolean().optional(),
    /** Null for no change. */
    multicast_groups: maybe(list(MulticastGroupJoin)),
  }),
)
export type InstanceUpdate = z.infer<typeof InstanceUpdate>

export const ExternalIp = named(
  'ExternalIp',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('snat'),
      ip: z.string(),
      ip_pool_id: Uuid,
      first_port: z.number().int(),
      last_port: z.number().int(),
    }),
    z.object({ kind: z.literal('ephemeral'), ip: z.string(), ip_pool_id: Uuid }),
    FloatingIp.extend({ kind: z.literal('floating') }),
  ]),
)
export type ExternalIp = z.infer<typeof ExternalIp>
export const EphemeralIpCreate = named(
  'EphemeralIpCreate',
  z.object({ pool_selector: PoolSelector.default(anyPool) }),
)

const SerialConsoleData = named(
  'InstanceSerialConsoleData',
  z.object({
    data: z.array(z.number().int().min(0).max(255)),
    last_byte_offset: z.number().int().nonnegative(),
  }),
)
const offset = () => maybe(z.coerce.number().int().nonnegative())

const path = z.object({ instance: NameOrId })
const query = InProject
/** What an instance is created and deleted with. */
export const withItsParts = ['instance', 'disk', 'floating-ip', ...instanceParts] as const

export const instanceOps = family('instances', ['instance'], {
  instanceList: get('/v1/instances', {
    summary: 'List instances of a project',
    ...listInProject,
    returns: InstancePage,
  }),
  instanceCreate: post('/v1/instances', {
    changes: withItsParts,
    summary: 'Create an instance',
    query: OfProject,
    body: InstanceCreate,
    bodyMax: 256 * KiB,
    returns: Instance,
  }),
  instanceView: get('/v1/instances/{instance}', {
    revalidates: true,
    summary: 'Fetch an instance',
    path,
    query,
    returns: Instance,
  }),
  instanceUpdate: put('/v1/instances/{instance}', {
    changes: ['instance', 'multicast-group-member'],
    summary: 'Update an instance',
    path,
    query,
    body: InstanceUpdate,
    returns: Instance,
  }),
  instanceDelete: del('/v1/instances/{instance}', {
    changes: [...withItsParts, 'fault'],
    summary: 'Delete an instance',
    path,
    query,
  }),
  instanceStart: post('/v1/instances/{instance}/start', {
    changes: ['instance', 'utilization'],
    summary: 'Start an instance',
    path,
    query,
    returns: Instance,
    status: 202,
  }),
  instanceStop: post('/v1/instances/{instance}/stop', {
    changes: ['instance', 'utilization'],
    summary: 'Stop an instance',
    path,
    query,
    returns: Instance,
    status: 202,
  }),
  instanceReboot: post('/v1/instances/{instance}/reboot', {
    changes: ['instance'],
    summary: 'Reboot an instance',
    path,
    query,
    returns: Instance,
    status: 202,
  }),
  instanceDiskList: get('/v1/instances/{instance}/disks', {
    summary: 'List disks of an instance',
    path,
    query: projectPaging,
    sorts: nameOrIdSorts,
    returns: DiskPage,
    reads: ['disk', 'instance'],
  }),
  instanceDiskAttach: post('/v1/instances/{instance}/disks/attach', {
    changes: ['disk', 'instance'],
    summary: 'Attach a disk to an instance',
    path,
    query,
    body: DiskPath,
    returns: Disk,
    status: 202,
  }),
  instanceDiskDetach: post('/v1/instances/{instance}/disks/detach', {
    changes: ['disk', 'instance'],
    summary: 'Detach a disk from an instance',
    path,
    query,
    body: DiskPath,
    returns: Disk,
    status: 202,
  }),
  instanceExternalIpList: get('/v1/instances/{instance}/external-ips', {
    summary: 'List external addresses of an instance',
    path,
    query,
    returns: pageOf('ExternalIp', ExternalIp),
    reads: ['external-ip', 'floating-ip', 'instance'],
  }),
  instanceEphemeralIpAttach: post('/v1/instances/{instance}/external-ips/ephemeral', {
    changes: ['external-ip'],
    summary: 'Attach an ephemeral IP to an instance',
    path,
    query,
    body: EphemeralIpCreate,
    returns: ExternalIp,
    status: 202,
  }),
  instanceEphemeralIpDetach: del('/v1/instances/{instance}/external-ips/ephemeral', {
    changes: ['external-ip'],
    summary: 'Detach the ephemeral IP from an instance',
    path,
    /** Without a version, the only one that is attached. */
    query: InProject.extend({ ip_version: maybe(IpVersion) }),
    formerParams: { names: { ip_version: null }, until: 2026012300 },
  }),
  instanceSshPublicKeyList: get('/v1/instances/{instance}/ssh-public-keys', {
    summary: 'List SSH keys of an instance',
    path,
    query: projectPaging,
    sorts: nameOrIdSorts,
    returns: SshKeyPage,
    reads: ['ssh-key'],
  }),
  instanceSerialConsole: get('/v1/instances/{instance}/serial-console', {
    summary: 'Read serial console output',
    noScreen: {
      sentBy: 'programs that read the buffer once; the console streams it with instanceSerialConsoleStream',
    },
    path,
    query: InProject.extend({ from_start: offset(), most_recent: offset(), max_bytes: offset() }),
    returns: SerialConsoleData,
  }),
  instanceSerialConsoleStream: get('/v1/instances/{instance}/serial-console/stream', {
    summary: 'Connect to the serial console',
    path,
    query: InProject.extend({ most_recent: offset() }),
    transport: 'websocket',
  }),
})

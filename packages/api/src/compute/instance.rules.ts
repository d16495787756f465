import { exactBytes, GiB } from '../base/bytes.rules.ts'

export const runStates = [
  'creating',
  'starting',
  'running',
  'stopping',
  'stopped',
  'rebooting',
  'migrating',
  'repairing',
  'failed',
  'destroyed',
] as const
export type RunState = (typeof runStates)[number]

/** Kinds of what an instance has that is nothing without it: created, deleted and restored with it. */
export const instanceParts = [
  'external-ip',
  'external-subnet',
  'instance-network-interface',
  'utilization',
  'affinity-group-member',
  'anti-affinity-group-member',
  'multicast-group-member',
] as const

/** States in which each action is accepted: the server refuses by it, the console disables by it. */
export const instanceAllows = {
  start: ['stopped', 'failed'],
  delete: ['stopped', 'failed'],
  resize: ['stopped', 'failed', 'creating'],
  /** Where the change waits for the next start. */
  changeLater: ['starting', 'running', 'stopping', 'rebooting', 'migrating'],
  updateBootDisk: ['stopped', 'failed', 'creating'],
  reboot: ['running'],
  stop: ['running', 'starting', 'rebooting', 'failed'],
  /** Cuts the power, as where a guest or its machine hangs. */
  forceOff: ['running', 'starting', 'rebooting', 'migrating', 'stopping'],
  detachDisk: ['creating', 'stopped', 'failed'],
  growDisk: ['creating', 'stopped', 'failed', 'running'],
  attachDisk: ['creating', 'stopped'],
  /** Where the fleet exchanges disks of running machines. */
  hotAttachDisk: ['creating', 'stopped', 'running'],
  hotDetachDisk: ['creating', 'stopped', 'failed', 'running'],
  updateNetworkInterface: ['stopped'],
  attachNetworkInterface: ['stopped', 'creating'],
  detachNetworkInterface: ['stopped', 'failed'],
  attachExternalIp: ['stopped', 'running', 'rebooting'],
  detachExternalIp: ['stopped', 'running', 'rebooting'],
  serialConsole: ['running', 'rebooting', 'migrating', 'repairing'],
  addToAffinityGroup: ['stopped'],
} as const satisfies Record<string, readonly RunState[]>

/** States that end automatically, so a page refetches soon. */
export const isTransitioning = (state: RunState): boolean =>
  state === 'creating' || state === 'starting' || state === 'stopping' || state === 'rebooting'

export const instanceLimits = {
  maxCpus: 64,
  minMemory: 1 * GiB,
  maxMemory: 1536 * GiB,
  disks: 8,
  networkInterfaces: 8,
  externalIps: 32,
  /** One of each IP version. */
  ephemeralIps: 2,
  sshKeys: 100,
  /** Bytes after decoding. */
  userData: 32 * 1024,
} as const

/** Seconds between automatic restarts (control plane reference, B 3.5). */
export const autoRestartCooldownSeconds = 3600

/** Failed, allowed to restart, and not cooling down: the next scan starts it. */
export function isRestartingSoon(
  instance: { runState: RunState; autoRestartEnabled: boolean; autoRestartCooldownExpiration?: Date | null },
  now: Date,
): boolean {
  const cooled = instance.autoRestartCooldownExpiration
  return instance.runState === 'failed' && instance.autoRestartEnabled && (!cooled || cooled <= now)
}

/** The problem with the requested hardware, in the API's words and order. */
export function hardwareProblem(
  ncpus: number,
  memory: number,
): { label?: string; reason: string } | undefined {
  if (ncpus > instanceLimits.maxCpus)
    return { reason: `cannot have more than ${instanceLimits.maxCpus} vCPUs per instance` }
  const { minMemory, maxMemory } = instanceLimits
  if (memory < minMemory) return { label: 'size', reason: `memory must be at least ${exactBytes(minMemory)}` }
  if (memory % minMemory !== 0)
    return { label: 'size', reason: `memory must be divisible by ${exactBytes(minMemory)}` }
  if (memory > maxMemory)
    return { label: 'size', reason: `memory must be less than or equal to ${exactBytes(maxMemory)}` }
  return undefined
}

/** Maximum length of a host name, in characters (RFC 1035). */
export const hostnameMaxLength = 253

/** Why a host name is refused; undefined for a valid one (RFC 1035 labels, 253 characters in total). */
export function hostnameProblem(hostname: string): string | undefined {
  if (hostname.length > hostnameMaxLength) return `Max hostname length is ${hostnameMaxLength}`
  const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
  return hostname !== '' && hostname.split('.').every((part) => part.length <= 63 && label.test(part))
    ? undefined
    : 'Hostnames must comply with RFC 1035'
}

/** Sizes offered for new instances: vCPUs and GiB of memory. */
export const hardwarePresets = {
  'General Purpose': [
    [2, 8],
    [4, 16],
    [8, 32],
    [16, 64],
  ],
  'High CPU': [
    [2, 4],
    [4, 8],
    [8, 16],
    [16, 32],
  ],
  'High Memory': [
    [2, 16],
    [4, 32],
    [8, 64],
    [16, 128],
  ],
} as const

/** Trailing bytes of serial output that a console requests when it opens. */
export const serialReplayBytes = 262_144

/** Packets to an external address reach an instance by the address of its version at the primary network interface. */
export const noPrimaryForIps = {
  v4: 'The primary network interface has no IPv4 address',
  v6: 'The primary network interface has no IPv6 address',
} as const
export const noInterfaceForIps = 'An instance without a network interface cannot have external IP addresses'

export const provisionPolicies = ['provisionable', 'non_provisionable'] as const
export type ProvisionPolicy = (typeof provisionPolicies)[number]

/** The operator's policy for a sled or a physical disk; `expunged` is permanent. */
export const hardwarePolicies = ['in_service', 'expunged'] as const
export type HardwarePolicy = (typeof hardwarePolicies)[number]
export const hardwareStates = ['active', 'decommissioned'] as const
export type HardwareState = (typeof hardwareStates)[number]

/** The conditions of a sled, of which the first that applies is shown. */
export const sledConditions = ['expunged', 'lost', 'draining', 'decommissioned', 'active'] as const
export type SledCondition = (typeof sledConditions)[number]

interface SledFacts {
  policy: { kind: HardwarePolicy }
  state: HardwareState
  /** It is marked lost by a fault, or a host that the fleet cannot reach. */
  isLost: boolean
  isDraining: boolean
}

/** The one state of a sled, wherever it is shown. */
export function sledCondition({ policy, state, isLost, isDraining }: SledFacts): SledCondition {
  if (policy.kind === 'expunged') return 'expunged'
  if (isLost) return 'lost'
  if (isDraining) return 'draining'
  return state
}

/** The outcome for an instance whose sled was lost; `unknown` while the fleet cannot reach its machine. */
export const outageOutcomes = [
  'failed',
  'unknown',
  'starting',
  'stopped',
  'restarted',
  'started',
  'deleted',
] as const
export type OutageOutcome = (typeof outageOutcomes)[number]
/** Maximum number of instances listed of one lost sled, those that need an operator first. */
export const listedOutageInstances = 200

/** Maximum number of instances that one request starts on other sleds. */
export const outageStartsAtOnce = 20

interface Removed {
  condition: SledCondition
  /** Whether the fleet has found the host itself, and manages its machines while it is reachable. */
  isFound: boolean
  /** How many instances have a machine on it. */
  instances: number
}

/** Why a sled cannot be removed for good. A lost one can: what ran there has failed, or fails with it. */
export function whyNotExpunge({ condition, isFound, instances }: Removed): string | undefined {
  switch (condition) {
    case 'lost':
      return undefined
    case 'expunged':
    case 'decommissioned':
      return 'The sled has been removed for good already'
    case 'draining':
      return 'The sled is being drained. Wait until that is done'
    case 'active':
      if (instances > 0) return 'Instances run on the sled. Drain it first'
      return isFound ? 'The fleet reaches this host. Take it out of the fleet first' : undefined
    default:
      return condition satisfies never
  }
}

/** Of each part of what a manufacturer names a disk by. */
export const diskIdentityMaxLength = 128

export const membershipStates = ['in_progress', 'committed', 'aborted'] as const
export type MembershipState = (typeof membershipStates)[number]
/** How many sleds can be members of a rack: fewer could not keep its secret among them. */
export const rackSleds = { min: 3, max: 32 } as const

/** Whether a change of a rack's members takes effect: all new ones confirmed it, and most of them all. */
export const isConfirmed = (members: number, unacknowledged: number, newcomersWaiting: number): boolean =>
  newcomersWaiting === 0 && (members - unacknowledged) * 2 > members

export const diskFormFactors = ['m2', 'u2'] as const
export type DiskFormFactor = (typeof diskFormFactors)[number]

/** The ways to drain a sled of its instances. */
export const drainModes = ['move', 'stop'] as const
export type DrainMode = (typeof drainModes)[number]
export const drainStates = ['running', 'done', 'cancelled'] as const
export type DrainState = (typeof drainStates)[number]
/** The state of an instance in a drain; `ended` if it stopped, failed or was deleted by other means. */
export const drainItemStates = ['pending', 'moving', 'moved', 'stopping', 'stopped', 'ended'] as const
export type DrainItemState = (typeof drainItemStates)[number]
/** Maximum number of drains listed per sled, newest first. */
export const listedDrains = 20

/** The share of the hardware available to instances and their disks; the rest is for the rack itself. */
export const utilizationFactor = 0.7
/** Raw storage of a sled in decimal terabytes. */
export const storagePerSledTb = 32
/** Disks are sold in decimal terabytes, and everything else here is binary. */
export const tibPerTb = 0.909

/** Estimated capacity for instances: whole vCPUs, GiB and TiB, rounded up. */
export const capacityEstimate = (sleds: number, vcpus: number, physicalRamGib: number) => ({
  cpus: Math.ceil(utilizationFactor * vcpus),
  memory_gib: Math.ceil(utilizationFactor * physicalRamGib),
  storage_tib: Math.ceil(utilizationFactor * storagePerSledTb * tibPerTb * sleds),
})

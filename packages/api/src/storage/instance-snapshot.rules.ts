import type { RunState } from '../compute/instance.rules.ts'

export const instanceSnapshotStates = ['creating', 'ready', 'faulted'] as const
export type InstanceSnapshotState = (typeof instanceSnapshotStates)[number]

/** States in which each action is accepted: the server refuses by it, the console disables by it. */
export const instanceSnapshotAllows = {
  delete: ['ready', 'faulted'],
  restore: ['ready'],
  createInstance: ['ready'],
} as const satisfies Record<string, readonly InstanceSnapshotState[]>

/**
 * What the disks of a snapshot hold: all that its guest had written out when it was stopped or had frozen its file
 * systems, or what a power cut would have left.
 */
export const snapshotConsistencies = ['stopped', 'consistent', 'power_cut'] as const
export type SnapshotConsistency = (typeof snapshotConsistencies)[number]

export const consistencyWords: Readonly<Record<SnapshotConsistency, string>> = {
  stopped: 'The instance was stopped',
  consistent: 'Consistent, by its guest agent',
  power_cut: 'As after a power cut',
}

/** States of an instance in which its disks can be snapshotted together. */
export const instanceSnapshotStart: readonly RunState[] = [
  'running',
  'stopped',
  'failed',
  'starting',
  'stopping',
  'rebooting',
  'migrating',
]

/** States of an instance in which its disks can be replaced. */
export const restoredInPlace = { restore: ['stopped'] } as const satisfies Record<string, readonly RunState[]>

/** What becomes of a disk when an instance snapshot is restored in place. */
export const restoredDiskFates = ['replaced', 'created', 'kept'] as const

/** Days to keep a restore that has ended. */
export const restoresKeptDays = 30

const nameMax = 63

/** A name of at most 63 characters that begins with another one. */
export const nameWith = (name: string, suffix: string): string =>
  `${name.slice(0, nameMax - suffix.length).replace(/-+$/, '')}${suffix}`

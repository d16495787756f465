import type { FailureReason } from '@gantry/api/extensions'

const restart = 'Start the instance again, or wait for the automatic restart.'

const resumes = 'It starts again automatically once the host is back.'

/** Why machines fail, and what to do about it. */
const reasons = {
  machine_crashed: { message: 'The machine crashed.', next_step: restart },
  machine_broken: { message: 'QEMU could not continue running the machine.', next_step: restart },
  guest_panicked: {
    message: "The kernel of the instance's operating system panicked.",
    next_step: `${restart} If it panics again, restore its boot disk from a snapshot.`,
  },
  host_restarted: { message: 'Its host restarted.', next_step: resumes },
  host_shut_down: { message: 'Its host was shut down.', next_step: resumes },
  start_failed: {
    message: 'QEMU could not start the machine.',
    next_step: 'Start the instance again. If it fails again, contact the operator.',
  },
  network_missing: {
    message: 'The network of the machine is not ready.',
    next_step: 'Start the instance again. If it fails again, contact the operator.',
  },
  disk_missing: {
    message: 'The bytes of a disk are missing.',
    next_step: 'Detach the disk, then start the instance again.',
  },
  not_responding: {
    message: 'QEMU does not respond, so the machine cannot be managed.',
    next_step: 'Wait a moment if the host is busy. Otherwise force the instance off, and start it again.',
  },
  out_of_space: {
    message: 'The storage is full, and the machine is paused.',
    next_step:
      'Delete disks, snapshots and images, or ask the operator for more storage. The machine then continues.',
  },
} as const satisfies Record<string, { message: string; next_step: string }>

/** Failures of which only the host is the cause. */
export const isByHost = (reason: FailureReason | null): boolean =>
  reason?.code === 'host_restarted' || reason?.code === 'host_shut_down'

export const failure = (
  code: keyof typeof reasons,
  now: Date,
  details: Record<string, unknown> | null = null,
): FailureReason => ({ code, ...reasons[code], details, time: now.toISOString() })

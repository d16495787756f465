import { failure } from './reasons.ts'
import type { MachineEnd, MachineRecord } from './record.ts'

/** The next step for a machine with a process. */
export type Step =
  /** End the process, and report this. */
  | { do: 'end'; end: MachineEnd }
  /** Let the guest run, and report that it does. */
  | { do: 'continue' }
  /** Let the guest run once it has space to write. */
  | { do: 'await-space' }
  /** Pause the guest until there is more space: the reserve is for the database. */
  | { do: 'hold' }
  /** Press the power button. */
  | { do: 'press' }
  /** Pause the guest, so that it can be reset. */
  | { do: 'pause' }
  /** Reset the paused guest. */
  | { do: 'reset' }
  /** Report that it runs. */
  | { do: 'run' }

/**
 * The next step, by the record and the guest's state in QEMU (`RunState` of QMP), which also reveals events missed
 * without a connection. QEMU cannot tell when a guest has booted, so it counts as running once its processor runs.
 */
export function nextStep(
  record: MachineRecord,
  status: string,
  { now, isFull }: { now: Date; isFull: boolean },
): Step {
  if (record.end) return { do: 'end', end: record.end }
  const { stop, leaving, reboot } = record
  /** Why its guest must shut down. */
  const ending = stop ?? leaving
  const stopped = (by_guest: boolean): Step => ({
    do: 'end',
    end: { state: 'stopped', by_guest, reason: null },
  })
  // Once it must shut down, any end counts as that. A user's stop takes precedence over the host's.
  const failed = (code: Parameters<typeof failure>[0]): Step =>
    stop
      ? stopped(false)
      : {
          do: 'end',
          end: { state: 'failed', by_guest: false, reason: failure(leaving ? 'host_shut_down' : code, now) },
        }
  if (ending && new Date(ending.deadline) <= now) return failed('host_shut_down')

  switch (status) {
    case 'shutdown':
      return ending ? failed('host_shut_down') : stopped(true)
    case 'guest-panicked':
      return failed('guest_panicked')
    case 'internal-error':
      return failed('machine_broken')
    case 'io-error':
      return { do: 'await-space' }
    case 'prelaunch':
      // Just started or reset: no guest can react yet.
      return ending ? failed('host_shut_down') : { do: 'continue' }
    case 'paused':
      if (isFull && !ending) return { do: 'await-space' }
      if (reboot === null || ending) return { do: 'continue' }
      return { do: reboot === 'paused' ? 'reset' : 'pause' }
    default:
      if (ending) return { do: 'press' }
      if (isFull) return { do: 'hold' }
      return { do: reboot === 'asked' ? 'pause' : 'run' }
  }
}

/** The end of a machine whose process is gone. */
export function endOf({ end, stop, leaving, process }: MachineRecord, boot: string, now: Date): MachineEnd {
  if (end) return end
  if (stop) return { state: 'stopped', by_guest: false, reason: null }
  const hasRestarted = process !== null && process.boot !== boot
  const code = hasRestarted ? 'host_restarted' : leaving ? 'host_shut_down' : 'machine_crashed'
  return { state: 'failed', by_guest: false, reason: failure(code, now) }
}

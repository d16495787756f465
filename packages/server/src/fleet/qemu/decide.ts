import { failure } from './reasons.ts'
import type { MachineEnd, MachineRecord } from './record.ts'

/** What to do next about a machine with a process. */
export type Step =
  /** End the process, and report this. */
  | { do: 'end'; end: MachineEnd }
  /** Let the guest run; it then runs. */
  | { do: 'continue' }
  /** Let the guest run once it has space to write to. */
  | { do: 'await-space' }
  /** Press the power button. */
  | { do: 'press' }
  /** Pause the guest, so that it can be reset. */
  | { do: 'pause' }
  /** Reset the paused guest. */
  | { do: 'reset' }
  /** Report that it runs. */
  | { do: 'run' }

/**
 * The next step by the record and QEMU's word for the guest's state (`RunState` of QMP), which also tells what happened
 * while nobody listened. QEMU does not know when a guest has booted, so that one runs as soon as its processor does.
 */
export function decide(record: MachineRecord, status: string, now: Date): Step {
  if (record.end) return { do: 'end', end: record.end }
  const { stop, reboot } = record
  const stopped = (by_guest: boolean): Step => ({
    do: 'end',
    end: { state: 'stopped', by_guest, reason: null },
  })
  const failed = (code: Parameters<typeof failure>[0]): Step =>
    // What was to stop has stopped, however it did.
    stop
      ? stopped(false)
      : { do: 'end', end: { state: 'failed', by_guest: false, reason: failure(code, now) } }
  if (stop && new Date(stop.deadline) <= now) return stopped(false)

  switch (status) {
    case 'shutdown':
      return stopped(!stop)
    case 'guest-panicked':
      return failed('guest_panicked')
    case 'internal-error':
      return failed('machine_broken')
    case 'io-error':
      return { do: 'await-space' }
    case 'prelaunch':
      // Just started, or just reset: there is no guest to ask.
      return stop ? stopped(false) : { do: 'continue' }
    case 'paused':
      if (reboot === null || stop) return { do: 'continue' }
      return { do: reboot === 'paused' ? 'reset' : 'pause' }
    default:
      if (stop) return { do: 'press' }
      return { do: reboot === 'asked' ? 'pause' : 'run' }
  }
}

/** The end of a machine whose process is gone. */
export function endOf({ end, stop, process }: MachineRecord, boot: string, now: Date): MachineEnd {
  if (end) return end
  if (stop) return { state: 'stopped', by_guest: false, reason: null }
  const code = process && process.boot !== boot ? 'host_restarted' : 'machine_crashed'
  return { state: 'failed', by_guest: false, reason: failure(code, now) }
}

import type { Row } from '../../db/tables.ts'
import type { MachineReport } from '../fleet.ts'
import { crashReason } from './faults.ts'
import { BOOT_MS } from './guest/boot-log.ts'

export type SimulatedVm = Row<'simulated_vm'>

/** Duration of each phase of a simulated machine, in milliseconds. */
export const phaseMs = {
  booting: BOOT_MS + 500,
  rebooting: BOOT_MS + 500,
  migrating: 2000,
  stopping: 1500,
} as const
/** A `slow_boot` fault multiplies the boot time by this factor. */
const slowBootFactor = 6

export const reportedState: Record<SimulatedVm['phase'], MachineReport['state']> = {
  booting: 'starting',
  running: 'running',
  migrating: 'migrating',
  stopping: 'stopping',
  rebooting: 'rebooting',
  off: 'stopped',
  crashed: 'failed',
}

export const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

/** The machine's current state: the next phase if its time is over, or the fault that ended it. */
export function stepPhase(vm: SimulatedVm, faults: ReadonlySet<string>, now: Date): SimulatedVm {
  if (vm.phase === 'running' || vm.phase === 'off' || vm.phase === 'crashed') return { ...vm, due_at: null }
  const slow = (vm.phase === 'booting' || vm.phase === 'rebooting') && faults.has('slow_boot')
  const ends = later(vm.phase_since, phaseMs[vm.phase] * (slow ? slowBootFactor : 1))
  if (now < ends) return { ...vm, due_at: ends }
  const over = { ...vm, phase_since: now, due_at: null }
  if (vm.phase === 'stopping') return { ...over, phase: 'off' }
  if (vm.phase !== 'migrating' && faults.has('boot_failure')) {
    return {
      ...over,
      phase: 'crashed',
      reason: crashReason(
        now,
        'boot_failure',
        'The machine stopped during boot.',
        // Users who run the instance can neither see nor end a fault of the rack.
        'Start the instance again. If it fails again, contact the operator.',
      ),
    }
  }
  return { ...over, phase: 'running', by_guest: false }
}

import type { FailureReason } from '@gantry/api/extensions'
import type { Change } from '../kernel/change.ts'
import type { Db, Reader } from '../kernel/cx.ts'
import type { GuestFacts } from './guest/guest.ts'

export interface VmSpec {
  id: string
  instance_id: string
  sled_id: string
  facts: GuestFacts
}

/** What a machine process is doing, as its sled reports it. */
export interface VmReport {
  state: 'starting' | 'running' | 'stopping' | 'rebooting' | 'stopped' | 'failed'
  /** The machine asked for it from the inside. */
  by_guest: boolean
  /** Why it failed. */
  reason: FailureReason | null
}

export interface SerialState {
  /** Bytes written since power on. */
  written: number
  /** When more will come by itself. */
  nextDue: Date | undefined
}

/**
 * What runs instances. Every call is safe to repeat. The simulated rack keeps its machines in rows of the same
 * database; a hypervisor's driver would ignore the transaction and talk to its host.
 */
export interface Fleet {
  /** Makes sure that the machine exists and boots. */
  start: (tx: Change, vm: VmSpec) => Promise<void>
  stop: (tx: Change, vmId: string) => Promise<void>
  reboot: (tx: Change, vmId: string) => Promise<void>
  /** Machines with something to report, and how long until the next will have (ms). */
  news: (db: Reader, now: Date, limit: number) => Promise<{ ids: string[]; nextInMs: number | undefined }>
  /** Puts right what machines were told while the clock was ahead. */
  mendTimes: (db: Db, now: Date) => Promise<void>
  /** Takes a machine's news in; undefined when the fleet knows no such machine. */
  report: (tx: Change, vmId: string) => Promise<VmReport | undefined>
  /** Frees what a finished machine left behind, its serial history included. */
  forget: (tx: Change, vmId: string) => Promise<void>
  /** Prints what the machine had to print by now; returns the bytes written so far. */
  advanceSerial: (tx: Change, vmId: string) => Promise<number>
  /** Types on the machine's serial line. */
  typeSerial: (tx: Change, vmId: string, bytes: Uint8Array) => Promise<void>
  /** The serial lines of all these machines at once; unknown machines are left out. */
  serialStates: (db: Reader, vmIds: readonly string[]) => Promise<Map<string, SerialState>>
  /** Kept output from `from`, at most `max` bytes; shorter at the gap between the first and the last MiB. */
  readSerial: (
    db: Reader,
    vmId: string,
    from: number,
    max: number,
  ) => Promise<{ from: number; bytes: Uint8Array }>
}

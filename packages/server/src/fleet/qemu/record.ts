import path from 'node:path'
import fs from 'node:fs/promises'
import { FailureReason } from '@gantry/api/extensions'
import type { MachineReport, MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { z } from 'zod'
import { writeDurably } from './durable-file.ts'

/** A machine's specification, as it is kept. */
const spec = z.object({
  id: z.uuid(),
  instance_id: z.string(),
  host_id: z.string(),
  name: z.string(),
  hostname: z.string(),
  ncpus: z.int(),
  memory: z.int(),
  user_data: z.string(),
  ssh_keys: z.array(z.string()),
  disks: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      content_id: z.string(),
      size: z.int(),
      block_size: z.int(),
      is_boot: z.boolean(),
    }),
  ),
  interfaces: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      mac: z.string(),
      ip: z.string(),
      is_primary: z.boolean(),
      vpc_id: z.string(),
      subnet_id: z.string(),
      subnet: z.string(),
      transit_ips: z.array(z.string()),
    }),
  ),
  os: z.string(),
  version: z.string(),
}) satisfies z.ZodType<MachineSpec>

/** What the driver knows of a machine, in its folder: written before it is reported, so that a restart knows as much. */
const record = z.object({
  /** The user that it runs as; null for that of this process. */
  user: z.int().nullable(),
  state: z.enum(['starting', 'running', 'stopping', 'rebooting', 'stopped', 'failed']),
  by_guest: z.boolean(),
  reason: FailureReason.nullable(),
  /** Raised whenever the report changes: a state that comes back is news as well. */
  sequence: z.int(),
  /** Of the last change (ISO). */
  changed_at: z.iso.datetime(),
  /** The last sequence that was acknowledged. */
  acknowledged: z.int(),
  /** Its process, known before the guest runs. */
  process: z.object({ pid: z.int(), started: z.string(), boot: z.string() }).nullable(),
  stop: z.object({ asked_at: z.iso.datetime(), deadline: z.iso.datetime() }).nullable(),
  /** Its end, decided while its process may still run; reported once that is gone. */
  end: z
    .object({ state: z.enum(['stopped', 'failed']), by_guest: z.boolean(), reason: FailureReason.nullable() })
    .nullable(),
  /** Reboots on request so far. */
  reboots: z.int(),
  /**
   * How far the last one is. QEMU is paused first, and only `paused` allows the reset: a guest that runs although the
   * record says so has been reset.
   */
  reboot: z.enum(['asked', 'paused']).nullable(),
  /** The first retained byte of the serial log. */
  serial_from: z.int(),
  /** To be ended and deleted. */
  destroyed: z.boolean(),
})
export type MachineRecord = z.infer<typeof record>
export type MachineEnd = NonNullable<MachineRecord['end']>

export const hasEnded = ({ state }: Pick<MachineRecord, 'state'>): boolean =>
  state === 'stopped' || state === 'failed'

export const newRecord = (user: number | undefined, now: Date): MachineRecord => ({
  user: user ?? null,
  state: 'starting',
  by_guest: false,
  reason: null,
  sequence: 1,
  changed_at: now.toISOString(),
  acknowledged: 0,
  process: null,
  stop: null,
  end: null,
  reboots: 0,
  reboot: null,
  serial_from: 0,
  destroyed: false,
})

/** The record with another report, unless it says the same. */
export function reporting(
  was: MachineRecord,
  report: Pick<MachineReport, 'by_guest' | 'reason'> & Pick<MachineRecord, 'state'>,
  now: Date,
): MachineRecord {
  const isSame =
    was.state === report.state && was.by_guest === report.by_guest && was.reason?.code === report.reason?.code
  if (isSame) return was
  return { ...was, ...report, sequence: was.sequence + 1, changed_at: now.toISOString() }
}

export const reportOf = ({ state, by_guest, reason, sequence }: MachineRecord): MachineReport => ({
  state,
  by_guest,
  reason,
  version: String(sequence),
})

export const specFile = (folder: string): string => path.join(folder, 'spec.json')
export const recordFile = (folder: string): string => path.join(folder, 'record.json')

export const readSpec = async (folder: string): Promise<MachineSpec> =>
  spec.parse(JSON.parse(await fs.readFile(specFile(folder), 'utf8')))

export const readRecord = async (folder: string): Promise<MachineRecord> =>
  record.parse(JSON.parse(await fs.readFile(recordFile(folder), 'utf8')))

export const writeRecord = (folder: string, next: MachineRecord): Promise<void> =>
  writeDurably(recordFile(folder), JSON.stringify(next))

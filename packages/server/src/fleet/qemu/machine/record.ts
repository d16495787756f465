import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { FailureReason } from '@gantry/api/extensions'
import {
  clocks,
  diskModels,
  firmwares,
  networkModels,
  usualHardware,
} from '@gantry/api/storage/hardware.rules'
import type { MachineReport, MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { z } from 'zod'
import { withFile, writeFully } from '#src/blocks/block-files-io'
import { writeSynced } from '../host/durable-file.ts'
import { isByHost } from './reasons.ts'

/** Absent from machines that were created before slots were recorded: those have their devices in the order of the list. */
const slot = z.int().optional()
const inSlots = <Device extends { slot?: number | undefined }>(devices: Device[]) =>
  devices.map((device, index) => ({ ...device, slot: device.slot ?? index }))

const disk = z.object({
  id: z.string(),
  name: z.string(),
  content_id: z.string(),
  size: z.int(),
  block_size: z.int(),
  is_boot: z.boolean(),
  /** Absent from machines that were created before there were such disks. */
  read_only: z.boolean().default(false),
})

/** The stored specification of a machine. */
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
  disks: z.array(disk.extend({ slot })).transform(inSlots),
  interfaces: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        slot,
        mac: z.string(),
        ip: z.string().nullable(),
        ipv6: z.string().nullable().default(null),
        is_primary: z.boolean(),
        vpc_id: z.string(),
        subnet_id: z.string(),
        subnet: z.string(),
        transit_ips: z.array(z.string()),
      }),
    )
    .transform(inSlots),
  /** Absent from machines that were created before there was a choice. */
  hardware: z
    .object({
      firmware: z.enum(firmwares),
      secure_boot: z.boolean(),
      tpm: z.boolean().default(false),
      disk_model: z.enum(diskModels),
      network_model: z.enum(networkModels),
      clock: z.enum(clocks),
      variables_id: z.string().nullable(),
      tpm_id: z.string().nullable().default(null),
    })
    .default({ ...usualHardware, variables_id: null, tpm_id: null }),
  /** Absent from machines that were created before they had drives. */
  cds: z
    .array(
      z.object({ name: z.string(), content_id: z.string(), size: z.int(), boots: z.boolean() }).nullable(),
    )
    .default([]),
  os: z.string(),
  version: z.string(),
}) satisfies z.ZodType<MachineSpec>

const heldDisk = z.object({
  /** Names its device and its block node. */
  number: z.int(),
  disk: disk.extend({ slot: z.int() }),
  /**
   * Whether its guest was asked to release it. No guest can be told that this is withdrawn: one that releases it nevertheless
   * gets it again.
   */
  release: z.enum(['asked', 'withdrawn']).nullable(),
})

/** The stored state of a machine: written before it is reported, so that a restart loses nothing. */
const record = z.object({
  /** Raised with each write. */
  revision: z.int(),
  /** The user that it runs as; null for that of this process. */
  user: z.int().nullable(),
  state: z.enum(['starting', 'running', 'stopping', 'rebooting', 'stopped', 'failed']),
  by_guest: z.boolean(),
  reason: FailureReason.nullable(),
  /** Raised whenever the report changes, including back to an earlier state. */
  sequence: z.int(),
  /** Of the last change (ISO). */
  changed_at: z.iso.datetime(),
  /** The last sequence that was acknowledged. */
  acknowledged: z.int(),
  /** Its process, known before the guest runs. */
  process: z.object({ pid: z.int(), started: z.string(), boot: z.string() }).nullable(),
  /** The process of its TPM, which ends with it. */
  tpm: z.object({ pid: z.int(), started: z.string(), boot: z.string() }).nullable().default(null),
  stop: z.object({ asked_at: z.iso.datetime(), deadline: z.iso.datetime() }).nullable(),
  /** Its host shuts down; the deadline for its guest. */
  leaving: z.object({ deadline: z.iso.datetime() }).nullable().default(null),
  /** Its end, decided while its process may still run; reported once the process has ended. */
  end: z
    .object({ state: z.enum(['stopped', 'failed']), by_guest: z.boolean(), reason: FailureReason.nullable() })
    .nullable(),
  /** Reboots on request so far. */
  reboots: z.int(),
  /**
   * The progress of the last one. QEMU is paused first, and only `paused` allows the reset: a running guest whose
   * record says `paused` has been reset.
   */
  reboot: z.enum(['asked', 'paused']).nullable(),
  /** The first retained byte of the serial log. */
  serial_from: z.int(),
  /** To be ended and deleted. */
  destroyed: z.boolean(),
  /**
   * The disks that its process may have open; null for those of the specification. A disk is in this list before the
   * process gets it, and until the process has closed it.
   */
  disks: z.array(heldDisk).nullable().default(null),
})
export type HeldDisk = z.infer<typeof heldDisk>
export type MachineRecord = z.infer<typeof record>
export type MachineEnd = NonNullable<MachineRecord['end']>

export const hasEnded = ({ state }: Pick<MachineRecord, 'state'>): boolean =>
  state === 'stopped' || state === 'failed'

export const newRecord = (user: number | undefined, now: Date): MachineRecord => ({
  revision: 0,
  user: user ?? null,
  state: 'starting',
  by_guest: false,
  reason: null,
  sequence: 1,
  changed_at: now.toISOString(),
  acknowledged: 0,
  process: null,
  tpm: null,
  stop: null,
  leaving: null,
  end: null,
  reboots: 0,
  reboot: null,
  serial_from: 0,
  destroyed: false,
  disks: null,
})

/** The disks that a machine's process may have open. */
export const heldDisks = (record: Pick<MachineRecord, 'disks'>, spec: MachineSpec): readonly HeldDisk[] =>
  record.disks ?? spec.disks.map((one, number) => ({ number, disk: one, release: null }))

/** The record with this report, unless it already has the same one. */
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
  ...(state === 'failed' && isByHost(reason) && { by_host: true }),
  version: String(sequence),
})

export const specFile = (folder: string): string => path.join(folder, 'spec.json')

export const readSpec = async (folder: string): Promise<MachineSpec> =>
  spec.parse(JSON.parse(await fs.readFile(specFile(folder), 'utf8')))

/*
 * The record is kept in two files that are overwritten in turn, so that one is always complete, and that have their
 * final size from the beginning: a pause or stop can be recorded even on a full volume.
 */

const SLOT_BYTES = 16 * 1024
export const recordSlot = (folder: string, revision: number): string =>
  path.join(folder, `record.${revision % 2}`)

/** The latest complete record. */
export async function readRecord(folder: string): Promise<MachineRecord> {
  const slots = await Promise.all([0, 1].map((slot) => fs.readFile(recordSlot(folder, slot), 'utf8')))
  const complete = slots.flatMap((slot) => {
    const [digest = '', text = ''] = slot.trimEnd().split('\n')
    return digestOf(text) === digest ? [record.parse(JSON.parse(text))] : []
  })
  const latest = complete.sort((a, b) => b.revision - a.revision)[0]
  if (!latest) throw new Error(`${folder} has no complete record.`)
  return latest
}

/** Writes a record whose revision is one higher than that of the latest one. */
export const writeRecord = (folder: string, next: MachineRecord): Promise<void> =>
  withFile(recordSlot(folder, next.revision), 'r+', folder, async (file) => {
    await writeFully(file, slotOf(next), 0)
    await file.datasync()
  })

export async function createRecord(folder: string, first: MachineRecord): Promise<void> {
  await writeSynced(recordSlot(folder, first.revision), slotOf(first))
  await writeSynced(recordSlot(folder, first.revision + 1), Buffer.alloc(SLOT_BYTES, ' '))
}

function slotOf(one: MachineRecord): Buffer {
  const text = JSON.stringify(one)
  const slot = Buffer.alloc(SLOT_BYTES, ' ')
  const bytes = Buffer.from(`${digestOf(text)}\n${text}\n`)
  if (bytes.length > SLOT_BYTES) throw new Error('The record of a machine is too long.')
  slot.set(bytes)
  return slot
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

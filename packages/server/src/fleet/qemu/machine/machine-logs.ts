import fs from 'node:fs/promises'
import { MiB } from '@gantry/api/base/bytes.rules'
import type { StoredRecord } from './stored-record.ts'
import { qemuLogFile, serialLogFile } from './machine-folder.ts'
import { freeBefore } from '../volumes/sparse-files.ts'

/** The minimum of retained console output, in bytes. */
const SERIAL_KEPT = 16 * MiB
const QEMU_LOG_MAX = MiB

/**
 * Bounds the logs of a machine, to which QEMU only appends. While no server runs they grow; the next start trims
 * them.
 */
export async function trimLogs(folder: string, record: StoredRecord): Promise<void> {
  const own = qemuLogFile(folder)
  if ((await fs.stat(own)).size > QEMU_LOG_MAX) await fs.truncate(own, 0)
  const serial = serialLogFile(folder)
  const { size } = await fs.stat(serial)
  if (size - record.current.serial_from <= 2 * SERIAL_KEPT) return
  // Recorded first: a part that a crash left is freed with the next one.
  const serial_from = size - SERIAL_KEPT
  await record.update((was) => ({ ...was, serial_from }))
  await freeBefore(serial, serial_from)
}

import fs from 'node:fs/promises'
import { MiB } from '@gantry/api/bytes.rules'
import type { KeptRecord } from './kept-record.ts'
import { qemuLogFile, serialLogFile } from './machine-folder.ts'
import { freeBefore } from './sparse-files.ts'

/** Bytes of console output that are retained at least. */
const SERIAL_KEPT = 16 * MiB
const QEMU_LOG_MAX = MiB

/**
 * Bounds the logs of a machine, to which QEMU only appends. A server that is down bounds nothing; the first one
 * afterwards does.
 */
export async function trimLogs(folder: string, record: KeptRecord): Promise<void> {
  const own = qemuLogFile(folder)
  if ((await fs.stat(own)).size > QEMU_LOG_MAX) await fs.truncate(own, 0)
  const serial = serialLogFile(folder)
  const { size } = await fs.stat(serial)
  if (size - record.current.serial_from <= 2 * SERIAL_KEPT) return
  // Recorded first: what is not freed yet after a crash is freed with the next part.
  const serial_from = size - SERIAL_KEPT
  await record.update((was) => ({ ...was, serial_from }))
  await freeBefore(serial, serial_from)
}

import fs from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readIfThere, writeDurably } from './durable-file.ts'
import { machineIds, machinesFolder, shutdownFile } from './folders.ts'
import { bootId, isRunning } from './processes.ts'
import { readRecord } from '../machine/record.ts'

/*
 * A shutdown of the host is announced in a file, which is valid until the host restarts. Meanwhile no machine starts, and
 * running guests shut down.
 */

/** Valid until the host restarts. */
const announcement = z.object({ boot: z.string(), deadline: z.iso.datetime() })

export const announceShutdown = async (fleet: string, deadline: Date): Promise<void> =>
  writeDurably(
    shutdownFile(fleet),
    JSON.stringify({ boot: await bootId(), deadline: deadline.toISOString() } satisfies z.infer<
      typeof announcement
    >),
  )

/** Cancels the shutdown: machines may start again. */
export const cancelShutdown = (fleet: string): Promise<void> => rm(shutdownFile(fleet), { force: true })

/** The deadline for guests, if the host is shutting down. */
async function announcedDeadline(fleet: string): Promise<Date | undefined> {
  const text = await readIfThere(shutdownFile(fleet))
  if (text === undefined) return undefined
  const { boot, deadline } = announcement.parse(JSON.parse(text))
  return boot === (await bootId()) ? new Date(deadline) : undefined
}

export interface WatchedShutdown {
  deadline: () => Date | undefined
  close: () => void
}

/** Follows the announcement; `onChange` is called when it begins or ends. */
export async function watchShutdown(
  fleet: string,
  on: { change: () => void; error: (error: unknown) => void },
): Promise<WatchedShutdown> {
  let deadline = await announcedDeadline(fleet)
  const name = path.basename(shutdownFile(fleet))
  const read = async (): Promise<void> => {
    const before = deadline?.getTime()
    deadline = await announcedDeadline(fleet)
    if (deadline?.getTime() !== before) on.change()
  }
  const watcher = fs.watch(fleet, { persistent: false }, (_, changed) => {
    if (changed === name) read().catch(on.error)
  })
  watcher.on('error', on.error)
  return { deadline: () => deadline, close: () => watcher.close() }
}

/** The number of machines whose processes run. */
export async function runningMachines(fleet: string): Promise<number> {
  let count = 0
  for (const id of await machineIds(fleet)) {
    // A machine that is being created or destroyed has no record for a moment.
    const record = await readRecord(path.join(machinesFolder(fleet), id)).catch(() => undefined)
    if (record?.process && (await isRunning(record.process))) count++
  }
  return count
}

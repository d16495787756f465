import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from '@gantry/control-plane/settings'
import { isMissing, syncFolder, unlessMissing } from '../blocks/block-files-io.ts'
import { isThere } from '../backup/source.ts'
import { isComplete, unfinishedRestore } from '../backup/unfinished-restore.ts'
import { lockHolder } from '../database/data-dir-lock.ts'
import type { DatabaseLocation } from '../database/open.ts'
import { ballastIn, hasBallast } from '../space/ballast.ts'
import { reserveOf } from '../space/reserve.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Below these limits a server soon stops, or needs attention. */
const LEAST_BYTES = 256 * 1024 ** 2
const FEW_BYTES = 2 * 1024 ** 3
const FEW_BYTES_PERCENT = 10
const LEAST_INODES_PERCENT = 1
const FEW_INODES_PERCENT = 5

/** The folder itself, or its nearest existing parent. */
async function nearest(folder: string): Promise<string> {
  const isThere = await fs.stat(folder).then(
    () => true,
    (error: unknown) => !isMissing(error),
  )
  return isThere || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder))
}

/** The owner of the data directory, and who may read it. */
export async function dataDirOwner(dataDir: string, uid: number | undefined): Promise<Finding> {
  const check = 'data directory'
  const stat = await unlessMissing(fs.stat(dataDir))
  if (!stat) return ok(check, `${dataDir} does not exist yet; a start creates it`)
  if (!stat.isDirectory()) return problem(check, `${dataDir} is no folder`, 'Name a folder with --data-dir.')
  if (uid !== undefined && uid !== 0 && stat.uid !== uid) {
    return problem(
      check,
      `${dataDir} belongs to user ${stat.uid}, and this is user ${uid}`,
      `Run as its owner, or hand it over: chown -R ${uid} ${dataDir}`,
    )
  }
  const others = process.platform === 'win32' ? 0 : stat.mode & 0o077
  if (others === 0) return ok(check, `${dataDir}, for its owner only`)
  return warning(
    check,
    `${dataDir} can be entered by other users (mode ${(stat.mode & 0o777).toString(8)}), and passwords' hashes, keys and disks are in it`,
    `chmod 700 ${dataDir}`,
  )
}

/** Writes a file, syncs it and removes it, as every commit does. */
export async function dataDirWritable(dataDir: string): Promise<Finding> {
  const check = 'writing'
  const folder = await nearest(dataDir)
  const file = path.join(folder, `.gantry-doctor-${randomUUID()}`)
  try {
    const started = performance.now()
    const handle = await fs.open(file, 'wx', 0o600)
    try {
      await handle.writeFile('x')
      await handle.sync()
    } finally {
      await handle.close()
    }
    await fs.rename(file, `${file}-renamed`)
    await syncFolder(folder)
    await fs.rm(`${file}-renamed`)
    return ok(check, `a file in ${folder} reaches the disk in ${(performance.now() - started).toFixed(1)} ms`)
  } catch (error) {
    await fs.rm(file, { force: true }).catch(() => {})
    return problem(
      check,
      `${folder} cannot be written (${(error as Error).message})`,
      'Make it writable for the user of the server, on a disk with room and without errors.',
    )
  }
}

export async function diskSpace(
  dataDir: string,
  wanted: Settings['storage']['reserve_bytes'],
): Promise<Finding[]> {
  const folder = await nearest(dataDir)
  const { bsize, bavail, blocks, files, ffree } = await fs.statfs(folder)
  const [free, total] = [bavail * bsize, blocks * bsize]
  return [spaceOf(free, total), reserveState(free, reserveOf(wanted, total)), inodesOf(ffree, files)]
}

/** Whether there is space for disks, images and snapshots above the reserve. */
export function reserveState(free: number, reserve: number): Finding {
  const check = 'reserve'
  const kept = `${(reserve / 1024 ** 3).toFixed(1)} GiB are kept back for the database`
  if (free > reserve) return ok(check, kept)
  return warning(
    check,
    `${kept}, and less is free: bytes of disks, images and snapshots are refused`,
    'Free up space, delete unused data, or lower storage.reserve_bytes in the settings.',
  )
}

/** Whether the database has a fallback for a full volume. */
export async function ballastState(dataDir: string): Promise<Finding> {
  const check = 'ballast'
  if (!(await isThere(path.join(dataDir, 'database'))))
    return ok(check, 'there is no embedded database that needs any')
  if (await hasBallast(dataDir)) return ok(check, 'there is some for when the volume is full')
  return warning(
    check,
    `${ballastIn(dataDir)} is not there: the volume was full, or no server has run yet`,
    'Make room on the volume; a server that runs makes it again.',
  )
}

export function spaceOf(free: number, total: number): Finding {
  const percent = total === 0 ? 0 : (free / total) * 100
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB free, ${percent.toFixed(0)} % of the file system`
  const advice = 'Free space, or move the data directory to a larger disk.'
  if (free < LEAST_BYTES) return problem('disk space', message, advice)
  if (free < FEW_BYTES || percent < FEW_BYTES_PERCENT) return warning('disk space', message, advice)
  return ok('disk space', message)
}

export function inodesOf(free: number, total: number): Finding {
  // Some file systems create them on demand, and count none.
  if (total === 0) return ok('inodes', 'the file system does not count them')
  const percent = (free / total) * 100
  const message = `${free} free, ${percent.toFixed(0)} %`
  const advice = 'Remove small files, or move the data directory to a file system with more inodes.'
  if (percent < LEAST_INODES_PERCENT) return problem('inodes', message, advice)
  if (percent < FEW_INODES_PERCENT) return warning('inodes', message, advice)
  return ok('inodes', message)
}

/** The process that uses the data directory, if any. */
export async function dataDirLock(dataDir: string): Promise<Finding> {
  const holder = await lockHolder(dataDir)
  if (!holder) return ok('lock', 'nobody works on the data directory')
  const who = `process ${holder.pid} on ${holder.host}`
  if (!holder.isSilent) return ok('lock', `${who} works on the data directory`)
  return warning(
    'lock',
    `${who} holds the data directory and does not answer`,
    `See what it does, and stop it if it hangs: kill ${holder.pid}`,
  )
}

export async function restoreState(dataDir: string, location: DatabaseLocation): Promise<Finding> {
  const check = 'restore'
  const unfinished = await unfinishedRestore(dataDir)
  if (!unfinished) return ok(check, 'none is unfinished')
  const restoring = await lockHolder(dataDir)
  if (restoring) {
    const message = `the one of ${unfinished.file} is running (process ${restoring.pid}), and no server starts meanwhile`
    return warning(check, message, 'Wait until it ends.')
  }
  const isDone = await isComplete(location, unfinished).catch((error: Error) => error)
  if (isDone instanceof Error) {
    return problem(
      check,
      `whether the one of ${unfinished.file} into ${unfinished.into} is complete cannot be seen (${isDone.message})`,
      'See that the database can be reached, and run gantry doctor again.',
    )
  }
  if (isDone) return ok(check, `the one of ${unfinished.file} is complete; a start clears up after it`)
  return problem(
    check,
    `the one of ${unfinished.file} into ${unfinished.into} did not come to its end, and no server starts on it`,
    'Run gantry restore again, or remove the data directory to begin with nothing.',
  )
}

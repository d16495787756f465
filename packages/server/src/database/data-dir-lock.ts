import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { isUnattended, reach } from './reach.ts'

export interface DataDirLock {
  release: () => Promise<void>
}

/** Sent to every contender, so that a refusal can name the holder. */
interface Claim {
  pid: number
  host: string
  /** A candidate is still checking whether another process was first. */
  stage: 'candidate' | 'holder'
  /** The socket has a live owner that does not respond. */
  isSilent?: boolean
}

const PREFIX = 'lock-'
const SUFFIX = '.sock'
const ATTEMPTS = 20

/**
 * Two processes on one embedded database destroy it, so the process that opens a data directory holds this lock, which
 * is never taken from a live process.
 *
 * Each contender first listens on its own socket in the directory and only then checks the others. A socket
 * that answers has a live owner; the kernel closes it however the owner dies, so one that refuses connections
 * is stale and can be removed: names are never reused. Because everyone listens before checking, of two
 * contenders at least one sees the other and withdraws. This also works across containers that share the
 * directory on one host, where process ids are meaningless.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const directory = await fs.realpath(dataDir)
  if (process.platform === 'win32') return lockByPipe(directory)

  for (let attempt = 1; ; attempt += 1) {
    const claim: Claim = { pid: process.pid, host: os.hostname(), stage: 'candidate' }
    const name = `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}${SUFFIX}`
    const lock = await listen(directory, name, claim)
    const other = await firstLive(directory, name)
    if (!other) {
      claim.stage = 'holder'
      return lock
    }
    await lock.release()
    // Two candidates that saw each other both withdraw, and retry at different times.
    if (other.stage === 'holder' || attempt === ATTEMPTS) throw inUse(directory, other)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * attempt))
  }
}

/** The holder of a data directory, without claiming it; undefined if there is none. */
export async function lockHolder(dataDir: string): Promise<(Claim & { isSilent: boolean }) | undefined> {
  const names = await fs.readdir(dataDir).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) continue
    const claim = await ask(await fs.realpath(dataDir), name)
    if (claim) return { ...claim, isSilent: claim.isSilent ?? false }
  }
  return undefined
}

function inUse(directory: string, { pid, host }: Claim): Error {
  const where = host === os.hostname() ? `process ${pid}` : `process ${pid} on ${host}`
  return new Error(
    `The data directory ${directory} is in use by ${where}. ` +
      'Stop that process first, or name another directory with --data-dir.',
  )
}

async function listen(directory: string, name: string, claim: Claim): Promise<DataDirLock> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(claim))
  })
  const folder = await reach(directory, name)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const reason = `The data directory ${directory} cannot be locked (${cause.message}).`
      reject(new Error(`${reason} It must be writable, on a file system that can hold sockets.`, { cause }))
    })
    server.listen(path.join(folder.path, name), resolve)
  })
  // The lock must not keep an otherwise idle process alive.
  server.unref()
  return {
    async release() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await fs.rm(path.join(directory, name), { force: true })
      await folder.close()
    },
  }
}

/** The first live contender. Stale sockets are removed. */
async function firstLive(directory: string, own: string): Promise<Claim | undefined> {
  const names = await fs.readdir(directory)
  for (const name of names) {
    if (name === own || !name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) continue
    const claim = await ask(directory, name)
    if (claim) return claim
    await fs.rm(path.join(directory, name), { force: true })
  }
  return undefined
}

/** The claim of a socket's owner, or undefined if it has none. */
async function ask(directory: string, name: string): Promise<Claim | undefined> {
  // The kernel accepts connections for a stopped or very busy owner, which does not respond; the socket's
  // name contains its pid.
  const silent: Claim = {
    pid: Number.parseInt(name.slice(PREFIX.length)),
    host: os.hostname(),
    stage: 'holder',
    isSilent: true,
  }
  const folder = await reach(directory, name)
  try {
    return await new Promise((resolve) => {
      let text = ''
      const socket = net.connect(path.join(folder.path, name))
      socket.setTimeout(2000, () => finish(silent))
      socket.on('data', (bytes) => (text += bytes.toString()))
      socket.on('end', () => finish(parseClaim(text) ?? silent))
      socket.on('error', (error) => {
        // Anything but a clear refusal counts as a live owner, above all missing permission.
        finish(isUnattended(error) ? undefined : silent)
      })
      function finish(claim: Claim | undefined): void {
        socket.destroy()
        resolve(claim)
      }
    })
  } finally {
    await folder.close()
  }
}

function parseClaim(text: string): Claim | undefined {
  try {
    return JSON.parse(text) as Claim
  } catch {
    return undefined
  }
}

/** Windows has no sockets in folders, but a pipe's name belongs to one process and ends with it. */
async function lockByPipe(directory: string): Promise<DataDirLock> {
  const name = createHash('sha256').update(directory.toLowerCase()).digest('hex').slice(0, 32)
  const server = net.createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const advice = 'Stop that process first, or name another directory with --data-dir.'
      reject(new Error(`The data directory ${directory} is in use by another process. ${advice}`, { cause }))
    })
    server.listen(`\\\\.\\pipe\\gantry-${name}`, resolve)
  })
  server.unref()
  return { release: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { reach } from './reach.ts'

export interface DataDirLock {
  release: () => Promise<void>
}

/** Said to everyone who connects, so that a refusal can name who holds the directory. */
interface Claim {
  pid: number
  host: string
  /** A candidate is still looking whether somebody else was first. */
  stage: 'candidate' | 'holder'
  /** Somebody lives behind the socket and says nothing. */
  isSilent?: boolean
}

const PREFIX = 'lock-'
const SUFFIX = '.sock'
const ATTEMPTS = 20

/**
 * Two processes on one embedded database destroy it, so whoever opens a data directory holds this lock, and
 * it is never taken from a live process.
 *
 * Each contender listens on a socket of its own in the directory and only then looks at the others'. A socket
 * that answers has a live owner; the kernel closes it however the owner dies, so one that refuses is left
 * over and can be removed: its name is never used again. Because everyone listens before looking, of two
 * contenders at least one sees the other and withdraws. This holds across containers that share the
 * directory on one machine, where process ids mean nothing.
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
    // Two candidates that saw each other both withdraw, and try again at different times.
    if (other.stage === 'holder' || attempt === ATTEMPTS) throw inUse(directory, other)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * attempt))
  }
}

/** Who holds a data directory, without any claim of one's own; undefined where nobody does. */
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
  // The lock must not keep a process alive that has nothing else to do.
  server.unref()
  return {
    async release() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await fs.rm(path.join(directory, name), { force: true })
      await folder.close()
    },
  }
}

/** The first of the others that lives. Those that do not are removed. */
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

/** What a socket's owner says of itself, or undefined where nobody lives behind it. */
async function ask(directory: string, name: string): Promise<Claim | undefined> {
  // A stopped or very busy owner is connected to by the kernel and says nothing; its name tells the pid.
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
      socket.on('error', (error: NodeJS.ErrnoException) => {
        // Anything but a clear refusal, a lack of permission above all, counts as somebody alive.
        finish(error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? undefined : silent)
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

/** Windows has no sockets in folders, but a pipe's name belongs to one process, and ends with it. */
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

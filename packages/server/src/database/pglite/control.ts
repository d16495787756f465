import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { reach } from '../reach.ts'

/** Socket by which another process of the same user requests a copy of the embedded database. */
const NAME = 'control.sock'
const QUESTION = 'copy the database\n'
/** A copy waits for its turn and then for the disk. */
const ANSWER_MS = 10 * 60_000

type Answer = { folder: string } | { problem: string }

export interface Copy {
  /** A data directory that contains only the database. */
  folder: string
  /** Throws once the server has ended, and its copy with it. */
  check: () => void
  release: () => void
}

/** Serves copies; each exists while its requester stays connected. */
export async function offerCopies(
  dataDir: string,
  copyTo: (folder: string) => Promise<void>,
): Promise<{ close: () => Promise<void> }> {
  if (process.platform === 'win32') return { close: () => Promise.resolve() }
  // The caller holds the directory's lock, so any leftover comes from a crash.
  await fs.rm(path.join(dataDir, NAME), { force: true })
  const copying = new Map<net.Socket, Promise<void>>()
  const server = net.createServer((socket) => {
    const done = serveOne(socket, dataDir, copyTo).catch(() => {})
    copying.set(socket, done)
    void done.then(() => copying.delete(socket))
  })
  const folder = await reach(dataDir, NAME)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path.join(folder.path, NAME), resolve)
  })
  await fs.chmod(path.join(dataDir, NAME), 0o600)
  server.unref()
  return {
    async close() {
      server.close()
      for (const socket of copying.keys()) socket.destroy()
      await Promise.all(copying.values())
      await fs.rm(path.join(dataDir, NAME), { force: true })
      await folder.close()
    },
  }
}

async function serveOne(
  socket: net.Socket,
  dataDir: string,
  copyTo: (folder: string) => Promise<void>,
): Promise<void> {
  // Readers do not keep the process alive.
  socket.unref()
  socket.on('error', () => {})
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const asked = await new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString()))
    void gone.then(() => resolve(''))
  })
  if (asked !== QUESTION) return void socket.destroy()
  // The name lets a later start recognise leftovers of a crash.
  const folder = await fs.mkdtemp(path.join(dataDir, 'database-unfinished-'))
  try {
    const answer: Answer = await copyTo(path.join(folder, 'database')).then(
      () => ({ folder }),
      (error: Error) => ({ problem: error.message }),
    )
    socket.write(`${JSON.stringify(answer)}\n`)
    await gone
  } finally {
    socket.destroy()
    await fs.rm(folder, { recursive: true, force: true })
  }
}

/** Requests a copy from the server that holds a data directory; undefined if none responds. */
export async function copyOfRunning(dataDir: string): Promise<Copy | undefined> {
  if (process.platform === 'win32') return undefined
  const socket = await connect(dataDir)
  if (!socket) return undefined
  let isLost = false
  const check = (): void => {
    if (isLost) throw new Error('The server was stopped while its database was being read. Try again.')
  }
  const lost = (): void => void (isLost = true)
  socket.once('close', lost)
  const release = (): void => {
    socket.off('close', lost)
    socket.destroy()
  }
  socket.write(QUESTION)
  const answer = await readAnswer(socket)
  check()
  if ('folder' in answer) return { folder: answer.folder, check, release }
  release()
  throw new Error(`The server could not copy its database: ${answer.problem}`)
}

async function connect(dataDir: string): Promise<net.Socket | undefined> {
  const folder = await reach(dataDir, NAME)
  try {
    return await new Promise((resolve, reject) => {
      const socket = net.connect(path.join(folder.path, NAME), () => resolve(socket))
      socket.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error),
      )
    })
  } finally {
    await folder.close()
  }
}

function readAnswer(socket: net.Socket): Promise<Answer> {
  return new Promise<Answer>((resolve) => {
    let text = ''
    const timer = setTimeout(() => socket.destroy(), ANSWER_MS)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes.toString()
      if (!text.endsWith('\n')) return
      clearTimeout(timer)
      resolve(JSON.parse(text) as Answer)
    })
    socket.once('close', () => {
      clearTimeout(timer)
      resolve({ problem: 'it gave no answer' })
    })
  })
}

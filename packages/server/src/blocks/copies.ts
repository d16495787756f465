import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { isUnattended, reach } from '../database/reach.ts'

/** No request is longer. */
const MAX_REQUEST = 200

type Answer = { folder: string } | { problem: string }

/**
 * Makes the requested copy and passes its folder to `use`, after which the copy may be removed. The signal aborts when
 * no client waits for it any more.
 */
export type MakeCopy = (
  request: string,
  use: (folder: string) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>

export interface CopySocket {
  directory: string
  /** The socket's name in the directory. */
  name: string
}

/**
 * Serves copies to other processes of the same user by a socket; each exists while its requester stays connected. The
 * caller holds the lock of the directory.
 */
export async function offerCopies(
  { directory, name }: CopySocket,
  make: MakeCopy,
): Promise<{ close: () => Promise<void> }> {
  if (process.platform === 'win32') return { close: () => Promise.resolve() }
  // The previous holder of the lock has crashed.
  await fs.rm(path.join(directory, name), { force: true })
  const copying = new Map<net.Socket, Promise<void>>()
  const server = net.createServer((socket) => {
    const done = serveOne(socket, make).catch(() => {})
    copying.set(socket, done)
    void done.then(() => copying.delete(socket))
  })
  const folder = await reach(directory, name)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path.join(folder.path, name), resolve)
  })
  await fs.chmod(path.join(directory, name), 0o600)
  server.unref()
  return {
    async close() {
      server.close()
      for (const socket of copying.keys()) socket.destroy()
      await Promise.all(copying.values())
      await fs.rm(path.join(directory, name), { force: true })
      await folder.close()
    },
  }
}

async function serveOne(socket: net.Socket, make: MakeCopy): Promise<void> {
  // Readers do not keep the process alive.
  socket.unref()
  socket.on('error', () => {})
  const unwanted = new AbortController()
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  void gone.then(() => unwanted.abort())
  const request = await new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString('utf8')))
    void gone.then(() => resolve(''))
  })
  const answer = async (answer: Answer): Promise<void> => {
    socket.write(`${JSON.stringify(answer)}\n`)
    await gone
  }
  if (!request.endsWith('\n') || request.length > MAX_REQUEST) return void socket.destroy()
  try {
    await make(request.trim(), (folder) => answer({ folder }), unwanted.signal)
  } catch (error) {
    await answer({ problem: (error as Error).message })
  }
}

export interface Copy {
  folder: string
  /** Throws once the server has ended, and its copy with it. */
  check: () => void
  release: () => void
}

export interface CopyRequest {
  request: string
  /** The object of the sentences that refuse. */
  what: string
  /** How long the copy may take. */
  ms: number
  /** What to do when it takes longer. */
  ifLate: string
  /** Aborting it ends the copy, and the wait for it. */
  signal?: AbortSignal | undefined
}

/** Requests a copy from the server that holds a directory; undefined if none responds. */
export async function requestCopy(
  copySocket: CopySocket,
  { request, what, ms, ifLate, signal }: CopyRequest,
): Promise<Copy | undefined> {
  if (process.platform === 'win32') return undefined
  signal?.throwIfAborted()
  const socket = await connect(copySocket, signal)
  if (!socket) return undefined
  let isLost = false
  const check = (): void => {
    if (isLost) throw new Error(`The server was stopped while ${what} was being read. Try again.`)
  }
  const lost = (): void => void (isLost = true)
  socket.once('close', lost)
  const release = (): void => {
    socket.off('close', lost)
    socket.destroy()
  }
  socket.write(`${request}\n`)
  const answer = await readAnswer(socket, { ms, ifLate })
  signal?.throwIfAborted()
  check()
  if ('folder' in answer) return { folder: answer.folder, check, release }
  release()
  throw new Error(`The server could not copy ${what}: ${answer.problem}`)
}

async function connect(
  { directory, name }: CopySocket,
  signal: AbortSignal | undefined,
): Promise<net.Socket | undefined> {
  const folder = await reach(directory, name)
  try {
    return await new Promise((resolve, reject) => {
      const at = { path: path.join(folder.path, name), ...(signal && { signal }) }
      const socket = net.connect(at, () => resolve(socket))
      socket.once('error', (error) => (isUnattended(error) ? resolve(undefined) : reject(error)))
    })
  } finally {
    await folder.close()
  }
}

function readAnswer(socket: net.Socket, { ms, ifLate }: Pick<CopyRequest, 'ms' | 'ifLate'>): Promise<Answer> {
  return new Promise<Answer>((resolve) => {
    let text = ''
    // Still connected: a closed socket means that the server was stopped.
    const timer = setTimeout(() => resolve({ problem: `it took too long. ${ifLate}` }), ms)
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

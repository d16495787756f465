import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { decode, encode, type Frame } from './frames.ts'

/** The other side of a tap: sends frames as a guest's network card would, and sees what the guest would get. */
export class TapEnd {
  #socket: Socket | undefined
  #received = Buffer.alloc(0)
  readonly #listeners = new Set<(frame: Frame) => void>()

  constructor(readonly tap: string) {}

  connect(socket: Socket): void {
    this.#socket = socket
    socket.on('data', (piece) => this.#take(piece))
    socket.on('error', () => {})
  }

  send(frame: Frame): void {
    const bytes = encode(frame)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    this.#socket?.write(Buffer.concat([length, bytes]))
  }

  onFrame(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Each frame is preceded by its length. */
  #take(piece: Buffer): void {
    this.#received = Buffer.concat([this.#received, piece])
    while (this.#received.length >= 4) {
      const end = 4 + this.#received.readUInt32BE(0)
      if (this.#received.length < end) return
      const frame = decode(this.#received.subarray(4, end))
      this.#received = this.#received.subarray(end)
      if (frame) for (const listener of this.#listeners) listener(frame)
    }
  }
}

/**
 * Opens taps of a namespace by a QEMU without a machine, which carries their frames to sockets of this process: the
 * driver's own taps are used as QEMU uses them.
 */
export async function openTaps(
  enter: readonly string[],
  taps: readonly string[],
): Promise<{ ends: ReadonlyMap<string, TapEnd>; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gantry-taps-'))
  // The process that opens the taps must find the sockets.
  await chmod(folder, 0o755)
  const ends = new Map(taps.map((tap) => [tap, new TapEnd(tap)]))
  const servers: Server[] = []
  const connected = taps.map(async (tap) => {
    const server = createServer()
    servers.push(server)
    server.listen({ path: path.join(folder, tap), writableAll: true })
    await once(server, 'listening')
    const [socket] = (await once(server, 'connection')) as [Socket]
    ends.get(tap)?.connect(socket)
  })
  const { length } = taps
  await eventually(
    async () => servers.filter(({ listening }) => listening).length,
    (count) => count === length,
  )
  const netdevs = taps.flatMap((tap, n) => [
    `tap,id=t${n},ifname=${tap},script=no,downscript=no`,
    `stream,id=s${n},server=off,addr.type=unix,addr.path=${path.join(folder, tap)}`,
    `hubport,id=a${n},hubid=${n},netdev=t${n}`,
    `hubport,id=b${n},hubid=${n},netdev=s${n}`,
  ])
  const opener = openedBy(enter, netdevs)
  const close = async (): Promise<void> => {
    await opener.end()
    for (const server of servers) server.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.race([Promise.all(connected), opener.failure])
  } catch (error) {
    await close()
    throw error
  }
  return { ends, close }
}

/** A QEMU without a machine, which has only network back ends. */
export function openedBy(
  enter: readonly string[],
  netdevs: readonly string[],
): { end: () => Promise<void>; failure: Promise<never> } {
  const qemu = ['qemu-system-x86_64', '-machine', 'none', '-nodefaults', '-display', 'none', '-accel', 'tcg']
  const [program = '', ...words] = [...enter, ...qemu, ...netdevs.flatMap((netdev) => ['-netdev', netdev])]
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const failed = failure(child)
  // A caller that ends it on purpose does not wait for a failure.
  failed.catch(() => {})
  return { end: () => end(child), failure: failed }
}

async function failure(child: ChildProcess): Promise<never> {
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => (said += piece.toString('utf8')))
  await once(child, 'close')
  throw new Error(`QEMU ended: ${said}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

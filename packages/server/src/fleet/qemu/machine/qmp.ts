import net from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { LineReader } from '../serial/line-reader.ts'
import { reach } from '#src/database/reach'

/** A command that QEMU refused, with its reason. */
export class QmpRefusal extends Error {}
/** QEMU is gone, does not answer, or sends what QEMU never sends. */
export class QmpGone extends Error {}

export interface QmpEvent {
  event: string
  data: Record<string, unknown>
}

export interface Qmp {
  /** Runs a command. */
  run: (command: string, args?: Record<string, unknown>) => Promise<void>
  /** Runs a command, and parses its answer by the schema. */
  ask: <Answer>(answer: z.ZodType<Answer>, command: string, args?: Record<string, unknown>) => Promise<Answer>
  close: () => void
}

/** A QEMU that its guest has taken over can send anything: answers are bounded in size and time. */
const ANSWER_MS = 10_000
/** More events in a second are a guest's attempt to keep this process busy: reading pauses. */
const LINES_PER_SECOND = 1000
/** A QEMU that just started loads its firmware first. */
const GREETING_MS = 20_000

const greeting = z.object({ QMP: z.object({}) })
const message = z.union([
  z.object({ event: z.string().max(100), data: z.record(z.string(), z.unknown()).default({}) }),
  z.object({
    id: z.int(),
    error: z.object({ class: z.string().max(100), desc: z.string() }),
  }),
  z.object({ id: z.int(), return: z.unknown() }),
])

/** Connects to the monitor of a machine, whose socket is in this folder. */
export async function connectQmp(
  folder: string,
  { onEvent, onEnd }: { onEvent: (event: QmpEvent) => void; onEnd: () => void },
): Promise<Qmp> {
  const lines = new LineReader()
  const socket = await connectSocket(folder, 'qmp')
  const slowDown = slowedReading(socket)
  const waiting = new Map<number, (answer: z.infer<typeof message> | QmpGone) => void>()
  let hasEnded = false
  const end = (reason: string): void => {
    socket.destroy()
    if (hasEnded) return
    hasEnded = true
    for (const settle of waiting.values()) settle(new QmpGone(reason))
    waiting.clear()
    onEnd()
  }
  const take = (line: string): void => {
    slowDown()
    const parsed = message.safeParse(parseJson(line))
    if (!parsed.success) return end('QEMU sent a line that is none of QMP.')
    if ('event' in parsed.data) return onEvent(parsed.data)
    const { id } = parsed.data
    waiting.get(id)?.(parsed.data)
    waiting.delete(id)
  }

  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string): void => {
      socket.destroy()
      reject(new QmpGone(reason))
    }
    const timer = setTimeout(() => fail('QEMU does not greet.'), GREETING_MS)
    socket.on('error', () => {})
    socket.once('close', () => fail('QEMU ended before it greeted.'))
    lines.onLine = (line) => {
      clearTimeout(timer)
      if (greeting.safeParse(parseJson(line)).success) resolve()
      else fail('QEMU greets in an unknown way.')
    }
    socket.on('data', (bytes) => {
      if (!lines.add(bytes)) fail('QEMU sent a line without end.')
    })
  })
  lines.onLine = take
  socket.removeAllListeners('close').once('close', () => end('QEMU ended.'))
  socket.removeAllListeners('data').on('data', (bytes) => {
    if (!lines.add(bytes)) end('QEMU sent a line without end.')
  })

  let next = 1
  const call = async (command: string, args?: Record<string, unknown>): Promise<unknown> => {
    if (hasEnded) throw new QmpGone('QEMU ended.')
    const id = next++
    const answer = await new Promise<z.infer<typeof message> | QmpGone>((resolve) => {
      const timer = setTimeout(() => end(`QEMU did not answer ${command} in time.`), ANSWER_MS)
      waiting.set(id, (settled) => {
        clearTimeout(timer)
        resolve(settled)
      })
      socket.write(`${JSON.stringify({ execute: command, arguments: args, id })}\n`)
    })
    if (answer instanceof QmpGone) throw answer
    if ('error' in answer) throw new QmpRefusal(`${command}: ${answer.error.desc.slice(0, 500)}`)
    return 'return' in answer ? answer.return : undefined
  }
  await call('qmp_capabilities')
  return {
    run: async (command, args) => void (await call(command, args)),
    async ask(answer, command, args) {
      const parsed = answer.safeParse(await call(command, args))
      if (parsed.success) return parsed.data
      const reason = `QEMU answered ${command} in an unknown way.`
      end(reason)
      throw new QmpGone(reason, { cause: parsed.error })
    },
    close: () => end('The connection was closed.'),
  }
}

/** Counts lines, and stops reading for the rest of a second with too many. */
function slowedReading(socket: net.Socket): () => void {
  let [second, count] = [0, 0]
  return () => {
    const now = Math.floor(performance.now() / 1000)
    count = now === second ? count + 1 : 1
    second = now
    if (count !== LINES_PER_SECOND) return
    socket.pause()
    setTimeout(() => socket.resume(), 1000).unref()
  }
}

/** Connects to a socket in a folder with a path of any length. */
export async function connectSocket(
  folder: string,
  name: string,
  { isPaused = false } = {},
): Promise<net.Socket> {
  const reached = await reach(folder, name)
  try {
    return await new Promise((resolve, reject) => {
      const socket = net.connect(path.join(reached.path, name), () => {
        socket.off('error', reject)
        resolve(socket)
      })
      // The process that inherits it reads from the first byte on.
      if (isPaused) socket.pause()
      socket.once('error', reject)
    })
  } finally {
    await reached.close()
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

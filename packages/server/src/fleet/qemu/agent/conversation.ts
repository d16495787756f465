import { randomInt } from 'node:crypto'
import { guestWords } from '@gantry/api/compute/guest-agent.rules'
import { KiB } from '@gantry/api/base/bytes.rules'
import { z } from 'zod'
import { AGENT_SOCKET } from '../machine/arguments.ts'
import { connectSocket } from '../machine/qmp.ts'
import { LineReader } from '../serial/line-reader.ts'

/** The agent refused a command; the message is the guest's. */
export class AgentRefusal extends Error {}
/** No agent answers, or what answers is none. */
export class AgentGone extends Error {}

/** All commands that are ever sent. */
export type AgentCommand =
  | 'guest-info'
  | 'guest-get-osinfo'
  | 'guest-get-host-name'
  | 'guest-network-get-interfaces'
  | 'guest-get-fsinfo'
  | 'guest-fsfreeze-status'
  | 'guest-fsfreeze-freeze'
  | 'guest-fsfreeze-thaw'
  | 'guest-shutdown'
  | 'guest-set-user-password'
  | 'guest-ssh-add-authorized-keys'

export interface Conversation {
  ask: <Answer>(
    answer: z.ZodType<Answer>,
    command: AgentCommand,
    args?: Record<string, unknown>,
    withinMs?: number,
  ) => Promise<Answer>
  /** Sends a command that is not answered if it succeeds. */
  tell: (command: AgentCommand, args?: Record<string, unknown>) => void
}

/** A guest may send anything, for as long as it likes. */
const ANSWER_MS = 3000
const CONVERSATION_MS = 8000
const LINE_BYTES = 256 * KiB
const CONVERSATION_BYTES = 1024 * KiB
/** No text in UTF-8 has it, so that it separates answers from the rest of an earlier conversation. */
const DELIMITER = Buffer.from([0xff])
const decodedDelimiter = '\uFFFD'

const message = z.union([
  z.object({ error: z.object({ desc: z.string() }) }),
  z.object({ return: z.unknown() }),
])

/** Talks to the agent of the machine that has its sockets in this folder. Conversations are sequential. */
export async function converse<Result>(
  sockets: string,
  talk: (agent: Conversation) => Promise<Result>,
  { withinMs = CONVERSATION_MS, answerMs = ANSWER_MS } = {},
): Promise<Result> {
  const socket = await connectSocket(sockets, AGENT_SOCKET, { isPaused: true }).catch((cause: unknown) => {
    throw new AgentGone('The machine has no channel to a guest agent.', { cause })
  })
  const lines = new LineReader(LINE_BYTES)
  let received = 0
  let ended: AgentGone | undefined
  const unread: string[] = []
  let settle: ((line: string | AgentGone) => void) | undefined
  const end = (reason: string): void => {
    ended ??= new AgentGone(reason)
    socket.destroy()
    settle?.(ended)
    settle = undefined
  }
  const timer = setTimeout(() => end('The guest agent takes too long.'), withinMs)
  socket.on('error', () => {})
  socket.once('close', () => end('The channel to the guest agent was closed.'))
  lines.onLine = (line) => {
    const waiting = settle
    settle = undefined
    if (waiting) waiting(line)
    else unread.push(line)
  }
  socket.on('data', (bytes) => {
    received += bytes.length
    if (received > CONVERSATION_BYTES || !lines.add(bytes)) end('The guest agent sends too much.')
  })
  socket.resume()

  const nextLine = async (ms: number): Promise<string> => {
    if (ended) throw ended
    const next = unread.shift()
    if (next !== undefined) return next
    const late = setTimeout(() => end('The guest agent did not answer in time.'), ms)
    const line = await new Promise<string | AgentGone>((resolve) => (settle = resolve))
    clearTimeout(late)
    if (line instanceof AgentGone) throw line
    return line
  }
  const send = (command: string, args?: Record<string, unknown>): void =>
    void socket.write(`${JSON.stringify({ execute: command, arguments: args })}\n`)

  try {
    const id = randomInt(2 ** 31)
    socket.write(DELIMITER)
    send('guest-sync-delimited', { id })
    const until = performance.now() + answerMs
    for (;;) {
      const line = await nextLine(Math.max(1, until - performance.now()))
      const parsed = message.safeParse(parseJson(line.slice(line.lastIndexOf(decodedDelimiter) + 1)))
      if (parsed.success && 'return' in parsed.data && parsed.data.return === id) break
    }
    return await talk({
      async ask(answer, command, args, ms = answerMs) {
        // What came before the question is no answer to it.
        unread.length = 0
        send(command, args)
        const parsed = message.safeParse(parseJson(await nextLine(ms)))
        if (!parsed.success) throw new AgentGone(`The guest agent answered ${command} with no message.`)
        if ('error' in parsed.data) throw new AgentRefusal(guestWords(parsed.data.error.desc))
        const returned = answer.safeParse(parsed.data.return)
        if (!returned.success) throw new AgentGone(`The guest agent answered ${command} in an unknown way.`)
        return returned.data
      },
      tell: send,
    })
  } finally {
    clearTimeout(timer)
    // What was written is sent first.
    if (ended) socket.destroy()
    else socket.end()
    setTimeout(() => socket.destroy(), 1000).unref()
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

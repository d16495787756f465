import { requestOf } from '@gantry/api/client/client'
import { WebSocket } from 'ws'
import { connectionFlags, parse } from './arguments.ts'
import { Failure, mistake, noAnswer, refusal } from './failure.ts'
import { operation } from './operations.ts'
import { connectionOf } from './profiles.ts'
import type { Terminal } from './terminal.ts'

type Env = Readonly<Record<string, string | undefined>>

const help = `Connect to the serial console of an instance.

Usage: gantry console INSTANCE --project PROJECT [options]

Options:
  --project NAME   the project; not needed with an id
  --history BYTES  how much of the earlier output to show first (default: 4096)
  --profile NAME, --url URL, --help

Ctrl+] ends it. Without a terminal, standard input is typed into the console and its output is printed, until the
console closes or the program is interrupted.
`

/** Ctrl+], as of telnet: no program on the other side needs it. */
const escape = 0x1d
const historyDefault = '4096'

export async function serialConsole(args: readonly string[], env: Env, terminal: Terminal): Promise<void> {
  const text = { type: 'string', multiple: true } as const
  const parsed = parse(args, { ...connectionFlags, project: text, history: text })
  if (parsed.isSet('help')) return terminal.out(help)
  const [instance, extra] = parsed.operands
  if (instance === undefined) throw mistake('Say which instance: gantry console INSTANCE --project PROJECT.')
  if (extra !== undefined) throw mistake(`console takes one instance, and ${extra} is another operand.`)
  const history = parsed.text('history') ?? historyDefault
  if (!/^\d{1,9}$/.test(history)) throw mistake('--history takes a number of bytes.')
  const connection = connectionOf(parsed, env)
  if (connection.token === undefined)
    throw new Failure(
      'notSignedIn',
      `You are not signed in to ${connection.url}: gantry login ${connection.url}`,
    )
  const { op, id } = operation('instance_serial_console_stream')
  const { url } = requestOf(
    op,
    { path: { instance }, query: { project: parsed.text('project'), most_recent: history } },
    { base: connection.url.replace(/^http/, 'ws') },
  )
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${connection.token}` },
    perMessageDeflate: false,
  })
  await opened(socket, id, connection.url)
  await attached(socket, terminal)
}

function opened(socket: WebSocket, id: string, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', (error) => reject(noAnswer(url, error)))
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('end', () => reject(refusal(id, response.statusCode ?? 0, bodyOf(body))))
    })
  })
}

function bodyOf(text: string): { request_id: string; message: string } {
  try {
    return { request_id: '', message: '', ...(JSON.parse(text) as object) }
  } catch {
    return { request_id: '', message: '' }
  }
}

/** Connects the terminal and the socket, until either ends. */
async function attached(socket: WebSocket, terminal: Terminal): Promise<void> {
  const { stdin } = process
  const isTyped = stdin.isTTY
  if (isTyped) {
    terminal.err('Connected. Ctrl+] ends it.\n')
    // Every key goes to the instance, Ctrl+C among them.
    stdin.setRawMode(true)
  }
  const type = (bytes: Buffer): void => {
    const at = isTyped ? bytes.indexOf(escape) : -1
    const typed = at === -1 ? bytes : bytes.subarray(0, at)
    if (typed.length > 0) socket.send(typed)
    if (at !== -1) socket.close(1000)
  }
  stdin.on('data', type)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('message', (data: Buffer) => void process.stdout.write(data))
      socket.once('error', (error) =>
        reject(new Failure('noAnswer', `The connection was lost: ${error.message}.`)),
      )
      socket.once('close', (code, reason) => {
        if (code === 1000 || code === 1005) return resolve()
        reject(
          new Failure(
            'noAnswer',
            reason.length > 0 ? `Disconnected: ${reason.toString()}.` : 'The connection was lost.',
          ),
        )
      })
    })
  } finally {
    stdin.off('data', type)
    if (isTyped) {
      stdin.setRawMode(false)
      terminal.err('\n')
    }
    // Otherwise the program waits for more input.
    stdin.destroy()
  }
}

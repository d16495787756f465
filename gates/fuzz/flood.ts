import { MiB } from '@gantry/api/base/bytes.rules'
import type { Operation } from '@gantry/api/op'
import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { referenceOf, sampleOf } from '@gantry/control-plane/testing/sample-body'
import { Client } from '../../e2e/support/client.ts'
import type { Gantry } from '../../e2e/support/gantry.ts'
import { exchange, type Sent } from './exchange.ts'
import { longQueriesOf, tooMuchOf } from './oversize.ts'
import { Pings } from './pings.ts'

type Who = 'anonymous' | 'admin'
interface Attack {
  what: string
  query?: string
  body?: Sent['body']
  /** The only correct status for an authorised caller. */
  status?: number
}

/** Concurrent requests, within one user's limit. */
const concurrency = 4
const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  bytes: 'application/octet-stream',
}
/** The only allowed refusals of this class, both with an explanation. */
const explanations: Readonly<Record<number, string>> = {
  503: '"ServiceNotAvailable"',
  507: '"InsufficientCapacity"',
}

/** Sends every operation more than it accepts, and checks the responses. */
export class Flood {
  readonly faults: string[] = []
  readonly counts = new Map<number, number>()
  readonly pings: Pings
  bytes = 0
  readonly #port: number
  readonly #client: Client
  /** An image being uploaded: bytes are only read for an existing upload. */
  #upload = ''

  private constructor(gantry: Gantry) {
    this.#port = Number(new URL(gantry.url).port)
    this.#client = new Client(gantry)
    this.pings = new Pings(this.#port)
  }

  static async open(gantry: Gantry): Promise<Flood> {
    const flood = new Flood(gantry)
    await flood.signIn()
    const image = { name: 'flood', description: '', os: '', version: '', block_size: 512, size: MiB }
    const made = await flood.#client.send('POST', '/ext/v1/image-uploads?project=playground', image)
    flood.#upload = ((await made.json()) as { id: string }).id
    return flood
  }

  /** An earlier operation may have ended the session. */
  async signIn(): Promise<void> {
    if ((await this.#client.send('GET', '/v1/me')).status !== 200) await this.#client.signIn()
  }

  async ask(id: string, op: Operation, who: Who): Promise<void> {
    const attacks = attacksOn(op, who)
    const work = async (): Promise<void> => {
      for (const attack of attacks) await this.#send(id, op, who, attack)
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }

  async #send(
    id: string,
    op: Operation,
    who: Who,
    { what, query, body, status: right }: Attack,
  ): Promise<void> {
    // The contract is that of the newest version.
    const headers: Record<string, string> = { [versionHeader]: newestVersionText }
    if (op.body || op.encoding === 'bytes') headers['content-type'] = contentTypes[op.encoding]
    const { cookie = '' } = this.#client.headers
    if (who === 'admin') headers.cookie = cookie
    const path = this.#pathOf(op, query)
    const { status, text } = await exchange(this.#port, {
      method: op.method,
      path,
      headers,
      ...(body && { body }),
    })
    if (body && 'text' in body) this.bytes += body.text.length
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1)
    const isStranger = who === 'anonymous' && !op.anonymous && op.transport !== 'websocket'
    // Oversized headers are refused before authentication.
    const expected = status === 431 ? undefined : isStranger ? 401 : right
    const isFailure = status === 0 || (status >= 500 && !text.includes(explanations[status] ?? '"?"'))
    if (isFailure || (expected !== undefined && status !== expected))
      this.faults.push(`${who} ${id}, ${what}: ${status} for ${expected} ${text.slice(-300)}`)
  }

  #pathOf(op: Operation, query: string | undefined): string {
    const path = op.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
      const field = op.pathParams.shape[key] as Parameters<typeof sampleOf>[0]
      if (key === 'upload') return this.#upload
      return referenceOf(field) === 'Uuid' ? crypto.randomUUID() : String(sampleOf(field, key))
    })
    const needed = new URLSearchParams()
    for (const [key, value] of Object.entries(sampleOf(op.query) as object)) needed.set(key, String(value))
    for (const key of op.requiredOnFirstPage) needed.set(key, 'sample')
    if ('project' in op.query.shape) needed.set('project', 'playground')
    return `${path}?${query ?? needed.toString()}`
  }
}

function* attacksOn(op: Operation, who: Who): Generator<Attack> {
  const limit = op.maxBytes ?? op.bodyMax
  const status = op.body || op.maxBytes ? 400 : undefined
  // Of those who may send it, a whole file is stored as it arrives, up to a limit of the installation.
  const isFile = who === 'admin' && op.encoding === 'bytes' && op.maxBytes === undefined
  // No byte of it is ever sent: the response must not wait for an unread body.
  for (const announcedLength of isFile ? [2 ** 50] : [limit + 1, 8 * MiB + 1, 1024 * MiB])
    yield {
      what: `announces ${announcedLength} bytes`,
      body: { announcedLength },
      ...(isFile ? { status: 400 } : status && { status }),
    }
  for (const bytes of [limit + 1, MiB + 1, 8 * MiB + 1])
    for (const isChunked of [false, true])
      yield {
        what: `${bytes} bytes${isChunked ? ' in chunks' : ''}`,
        body: { text: `{"x":"${'x'.repeat(bytes - 8)}"}`, isChunked },
        ...(status && bytes > limit && { status }),
      }
  for (const { what, text } of tooMuchOf(op))
    yield { what, body: { text, isChunked: false }, ...(op.encoding === 'json' && { status: 400 }) }
  for (const query of longQueriesOf(op)) yield { what: `query ${query.slice(0, 30)}, ${query.length}`, query }
}

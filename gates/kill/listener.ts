import { sql } from 'kysely'
import { parts } from '@gantry/control-plane/lookup/kinds'
import type { Client } from '../../e2e/support/client.ts'
import { pause } from './chance.ts'
import type { Database } from './installation.ts'

const toOnePerson = Object.entries(parts).flatMap(([kind, part]) => ('toPerson' in part ? [kind] : []))

interface Server {
  readonly url: string
}

/** Reads the change stream across server restarts, resuming after the last change it has seen. */
export class Listener {
  /** Each change it was notified of, in the words of `told`. */
  readonly seen: string[] = []
  /** The objects it was notified of. */
  readonly ids = new Set<string>()
  /** How often it had to refetch everything. */
  resets = 0
  connections = 0
  /** The position to resume after. */
  #last: string | undefined
  readonly #over = new AbortController()

  async follow(server: Server, client: Client): Promise<void> {
    while (!this.#over.signal.aborted) await this.#read(server, client).catch(() => pause(50))
  }

  stop(): void {
    this.#over.abort()
  }

  /** The first change that is missing, came twice or out of order, and how many others differ from there on. */
  async complaints(db: Database, userId: string): Promise<string[]> {
    // News for others is told to them alone, and names them.
    const { rows } = await sql<Told>`SELECT kind, op, object_id AS id, generation AS version FROM change
      WHERE seq IS NOT NULL AND (kind NOT IN (${sql.join(toOnePerson)}) OR object_id = ${userId})
      ORDER BY seq`.execute(db)
    const made = rows.map(told)
    // No creation has the generation of another, so it says where the others must stand.
    const at = this.seen.findLastIndex((what) => what.startsWith('create '))
    const from = made.indexOf(this.seen[at] ?? '') - at
    if (at === -1 || from < 0) return [`the stream told of no creation that is recorded: ${this.seen[at]}`]
    const wrong = this.seen.flatMap((what, index) =>
      what === made[from + index] ? [] : [`the stream told of ${what} instead of ${made[from + index]}`],
    )
    const first = wrong.length > 1 ? [`${wrong[0]}, and ${wrong.length - 1} more`] : wrong
    return this.resets > 0 ? [...first, `the stream was reset ${this.resets} times`] : first
  }

  async #read(server: Server, client: Client): Promise<void> {
    const response = await fetch(`${server.url}/ext/v1/changes`, {
      headers: { ...client.headers, ...(this.#last !== undefined && { 'last-event-id': this.#last }) },
      signal: this.#over.signal,
    })
    if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`)
    this.connections++
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) this.#receive(event)
    }
  }

  #receive(event: string): void {
    const type = /^event: (.*)$/m.exec(event)?.[1]
    const data = /^data: (.*)$/m.exec(event)?.[1] ?? '{}'
    this.#last = /^id: (.*)$/m.exec(event)?.[1] ?? this.#last
    if (type === 'reset') this.resets++
    if (type !== 'change') return
    const change = JSON.parse(data) as Told
    this.seen.push(told(change))
    this.ids.add(change.id)
  }
}

interface Told {
  kind: string
  op: string
  id: string
  version: number
}

const told = ({ kind, op, id, version }: Told): string => `${op} ${kind} ${id} ${version}`

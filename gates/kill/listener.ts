import type { Client } from '../../e2e/client.ts'
import { pause } from './chance.ts'

interface Server {
  readonly url: string
}

/** Reads the change stream across server restarts, resuming after the last change it has seen. */
export class Listener {
  readonly seen: number[] = []
  /** The objects it was notified of. */
  readonly ids = new Set<string>()
  /** How often it had to refetch everything. */
  resets = 0
  connections = 0
  #first: number | undefined
  readonly #over = new AbortController()

  async follow(server: Server, client: Client): Promise<void> {
    while (!this.#over.signal.aborted) await this.#read(server, client).catch(() => pause(50))
  }

  stop(): void {
    this.#over.abort()
  }

  /** Missing numbers, and those that came twice or out of order. */
  complaints(): string[] {
    const { seen } = this
    const first = this.#first ?? 0
    const wrong = seen.flatMap((seq, index) => {
      const before = index === 0 ? first : (seen[index - 1] ?? 0)
      return seq === before + 1 ? [] : [`the stream went from ${before} to ${seq}`]
    })
    return this.resets > 0 ? [...wrong, `the stream was reset ${this.resets} times`] : wrong
  }

  async #read(server: Server, client: Client): Promise<void> {
    const last = this.seen.at(-1) ?? this.#first
    const response = await fetch(`${server.url}/ext/v1/changes`, {
      headers: { ...client.headers, ...(last !== undefined && { 'last-event-id': String(last) }) },
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
    const { seq, id } = JSON.parse(data) as { seq?: number; id?: string }
    if (type === 'reset') this.resets++
    if (type === 'ready') this.#first ??= seq
    if (type === 'change' && seq !== undefined) this.seen.push(seq)
    if (id !== undefined) this.ids.add(id)
  }
}

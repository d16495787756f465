import type { Client } from '../../e2e/support/client.ts'

interface Machine {
  id: string
  name: string
  run_state: string
}

const GiB = 1024 ** 3
/** Slightly more than a page of the list, so that creations and deletions move its rows. */
const population = 60
const lookMs = 2000

/**
 * Makes one change after the other in a project of roughly constant size: a day's work of its users, in
 * minutes.
 */
export class Changes {
  done = 0
  areOver = false
  readonly refusals: string[] = []
  #count = 0
  #looked = 0
  #machines: Machine[] = []
  /** Instances with a change in progress. */
  readonly #busy = new Set<string>()

  constructor(
    private readonly client: Client,
    private readonly random: () => number,
  ) {}

  async fill(): Promise<void> {
    // The first ones by name exist for the whole test.
    for (let number = 0; number < 6; number++) await this.#create(`always-${number}`)
    for (let number = 6; number < population; number++) await this.#create(this.#nextName())
  }

  /** Makes `perSecond` changes a second, as far as the server keeps up. */
  async run(perSecond: number, seconds: number): Promise<void> {
    try {
      await this.#keepUp(perSecond, perSecond * seconds)
    } finally {
      this.areOver = true
    }
  }

  async #keepUp(perSecond: number, wanted: number): Promise<void> {
    const running = new Set<Promise<void>>()
    // Missed changes are made up for at the end, and never in a burst.
    for (let due = Date.now(); this.done < wanted; due = Math.max(due + 1000 / perSecond, Date.now())) {
      await pause(due - Date.now())
      if (running.size >= 20) await Promise.race(running)
      const change = this.#change().finally(() => running.delete(change))
      running.add(change)
    }
    await Promise.all(running)
  }

  async #change(): Promise<void> {
    if (Date.now() - this.#looked > lookMs) await this.#look()
    const chance = this.random()
    const stopped = this.#anyone('stopped')
    const running = this.#anyone('running')
    if (chance < 0.1 && this.#machines.length <= population) return this.#create(this.#nextName())
    if (
      chance < 0.2 &&
      stopped &&
      !stopped.name.startsWith('always') &&
      this.#machines.length >= population - 5
    )
      return this.#act(stopped, 'DELETE', '', undefined, 'gone')
    if (chance < 0.4 && stopped) return this.#act(stopped, 'POST', '/start', undefined, 'starting')
    if (chance < 0.6 && running) return this.#act(running, 'POST', '/stop', undefined, 'stopping')
    if (!stopped) return
    const ncpus = 1 + Math.floor(this.random() * 4)
    return this.#act(stopped, 'PUT', '', { ncpus, memory: ncpus * GiB }, 'stopped')
  }

  /** An idle instance in that state. */
  #anyone(state: string): Machine | undefined {
    const known = this.#machines.filter(({ id, run_state }) => run_state === state && !this.#busy.has(id))
    return known[Math.floor(this.random() * known.length)]
  }

  async #act(machine: Machine, method: string, verb: string, body: unknown, next: string): Promise<void> {
    this.#busy.add(machine.id)
    try {
      await this.#send(method, `/v1/instances/${machine.id}${verb}`, body)
      machine.run_state = next
    } finally {
      this.#busy.delete(machine.id)
    }
  }

  async #create(name: string): Promise<void> {
    const body = { name, description: '', hostname: name, ncpus: 1, memory: GiB, start: false }
    const text = await this.#send('POST', '/v1/instances?project=playground', body)
    if (text) this.#machines.push(JSON.parse(text) as Machine)
  }

  async #send(method: string, path: string, body: unknown): Promise<string | undefined> {
    const response = await this.client.send(method, path, body)
    const text = await response.text()
    if (response.ok) this.done++
    else this.refusals.push(`${response.status} ${method} ${path} ${text}`)
    return response.ok ? text : undefined
  }

  /** Reads the states, which change on their own. */
  async #look(): Promise<void> {
    this.#looked = Date.now()
    const { items } = await this.client.read<{ items: Machine[] }>(
      '/v1/instances?project=playground&limit=1000',
    )
    this.#machines = items
  }

  #nextName(): string {
    return `m-${String(++this.#count).padStart(6, '0')}`
  }
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))

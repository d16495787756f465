import { expect, test } from 'vitest'
import { Client } from '../e2e/client.ts'
import { Gantry } from '../e2e/gantry.ts'

interface Machine {
  id: string
  name: string
  ncpus: number
  memory: number
  run_state: string
}
interface Page<Item> {
  items: Item[]
}

const GiB = 1024 ** 3
const rounds = 8
const clients = 5
const transitional = new Set(['creating', 'starting', 'stopping', 'rebooting'])

/** The same chances in every run, so that a failure can be looked at again. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Reads the change stream for as long as the server lives, and goes on after the last change it has seen. */
class Listener {
  readonly seen: number[] = []
  readonly resets: number[] = []
  #from: number | undefined
  #isOver = false

  async follow(gantry: Gantry, client: Client): Promise<void> {
    while (!this.#isOver) await this.#read(gantry, client).catch(() => pause(50))
  }

  stop(): void {
    this.#isOver = true
  }

  get first(): number {
    return this.#from ?? 0
  }

  async #read(gantry: Gantry, client: Client): Promise<void> {
    const last = this.seen.at(-1) ?? this.#from
    const response = await fetch(`${gantry.url}/ext/v1/changes`, {
      headers: { ...client.headers, ...(last !== undefined && { 'last-event-id': String(last) }) },
    })
    if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`)
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
    const { seq } = JSON.parse(data) as { seq?: number }
    if (type === 'reset') this.resets.push(seq ?? -1)
    if (type === 'ready') this.#from ??= seq
    if (type === 'change' && seq !== undefined) this.seen.push(seq)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** What a client was told, and what it asked for without hearing the answer. */
class Ledger {
  readonly created = new Map<string, string>()
  readonly deleting = new Set<string>()
  readonly deleted = new Set<string>()
  readonly refusals: string[] = []
}

async function churn(
  client: Client,
  ledger: Ledger,
  random: () => number,
  isOver: () => boolean,
  nextName: () => string,
): Promise<void> {
  while (!isOver()) {
    try {
      await act(client, ledger, random, nextName)
    } catch {
      // The server died before it answered: either may be true.
      return
    }
  }
}

async function act(
  client: Client,
  ledger: Ledger,
  random: () => number,
  nextName: () => string,
): Promise<void> {
  const known = [...ledger.created.keys()].filter((id) => !ledger.deleting.has(id))
  const id = known[Math.floor(random() * known.length)]
  const chance = random()
  if (id === undefined || (chance < 0.4 && known.length < 60)) {
    const name = nextName()
    const boot_disk = {
      type: 'create',
      name: `${name}-boot`,
      description: '',
      size: GiB,
      disk_source: { type: 'blank', block_size: 512 },
    }
    const body = {
      name,
      description: '',
      hostname: name,
      ncpus: 1,
      memory: GiB,
      boot_disk,
      start: random() < 0.6,
    }
    const response = await client.send('POST', '/v1/instances?project=playground', body)
    const text = await response.text()
    if (response.ok) ledger.created.set((JSON.parse(text) as Machine).id, name)
    else ledger.refusals.push(`create ${response.status} ${text}`)
    return
  }
  if (chance < 0.8) {
    const verb = chance < 0.6 ? 'start' : 'stop'
    const response = await client.send('POST', `/v1/instances/${id}/${verb}`)
    const text = await response.text()
    if (response.status >= 500 && response.status !== 503)
      ledger.refusals.push(`${verb} ${response.status} ${text}`)
    return
  }
  ledger.deleting.add(id)
  const response = await client.send('DELETE', `/v1/instances/${id}`)
  const text = await response.text()
  if (response.ok) ledger.deleted.add(id)
  // Refused for its state: it is still there and can be tried again.
  else if (response.status < 500) ledger.deleting.delete(id)
  else ledger.refusals.push(`delete ${response.status} ${text}`)
}

const machinesOf = async (client: Client): Promise<Machine[]> =>
  (await client.read<Page<Machine>>('/v1/instances?project=playground&limit=1000')).items

async function settled(client: Client): Promise<Machine[]> {
  let machines: Machine[] = []
  await expect
    .poll(
      async () => {
        machines = await machinesOf(client)
        return machines
          .filter(({ run_state }) => transitional.has(run_state))
          .map(({ name, run_state }) => `${name} ${run_state}`)
      },
      { timeout: 30_000, interval: 250 },
    )
    .toEqual([])
  return machines
}

test('whatever the server acknowledged outlives every kill, once and whole', async () => {
  const random = seeded(20_261_121)
  const gantry = await new Gantry().start()
  const listener = new Listener()
  try {
    const client = new Client(gantry)
    await client.signIn()
    const ledger = new Ledger()
    let count = 0
    const nextName = () => `m-${++count}`
    const following = listener.follow(gantry, client)

    for (let round = 1; round <= rounds; round++) {
      let isOver = false
      const work = Array.from({ length: clients }, () =>
        churn(client, ledger, random, () => isOver, nextName),
      )
      await pause(300 + random() * 1500)
      await gantry.kill('SIGKILL')
      isOver = true
      await Promise.all(work)
      await gantry.start()

      // Every other time it is killed again before it has come to rest.
      const isResting = round % 2 === 0
      const machines = isResting ? await settled(client) : await machinesOf(client)
      const ids = new Set(machines.map(({ id }) => id))
      const kept = [...ledger.created.keys()].filter((id) => !ledger.deleting.has(id))
      expect(
        kept.filter((id) => !ids.has(id)),
        `round ${round}: acknowledged creations that are gone`,
      ).toEqual([])
      expect(
        [...ledger.deleted].filter((id) => ids.has(id)),
        `round ${round}: acknowledged deletions that are there`,
      ).toEqual([])
      expect(ids.size).toBe(machines.length)
      expect(new Set(machines.map(({ name }) => name)).size).toBe(machines.length)
      // A creation whose answer never came may have happened; later rounds play with it too.
      for (const { id, name } of machines) if (!ledger.deleting.has(id)) ledger.created.set(id, name)
      for (const id of ledger.deleting) if (!ids.has(id)) ledger.deleted.add(id)
      for (const id of ids) ledger.deleting.delete(id)

      const disks = (
        await client.read<Page<{ name: string; size: number }>>('/v1/disks?project=playground&limit=1000')
      ).items
      expect(new Set(disks.map(({ name }) => name)).size).toBe(disks.length)
      if (!isResting) continue
      const running = machines.filter(({ run_state }) => run_state === 'running')
      const { provisioned } = await client.read<{ provisioned: object }>('/v1/utilization')
      expect(provisioned, `round ${round}: what is counted against what runs`).toEqual({
        cpus: running.reduce((sum, { ncpus }) => sum + ncpus, 0),
        memory: running.reduce((sum, { memory }) => sum + memory, 0),
        storage: disks.reduce((sum, { size }) => sum + size, 0),
      })
    }
    expect(ledger.refusals).toEqual([])
    console.log(
      `${rounds} kills over ${ledger.created.size} instances, ${ledger.deleted.size} deleted, ${listener.seen.length} changes`,
    )

    // One more change, so that it is known how far the listener must have come.
    const name = nextName()
    const body = { name, description: '', hostname: name, ncpus: 1, memory: GiB, start: false }
    expect((await client.send('POST', '/v1/instances?project=playground', body)).status).toBe(201)
    await expect.poll(() => listener.seen.length, { timeout: 20_000 }).toBeGreaterThan(0)
    await settledListener(listener)
    listener.stop()
    const { first, seen } = listener
    expect(listener.resets).toEqual([])
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => first + 1 + index))
    await gantry.kill()
    await following
  } finally {
    listener.stop()
    await gantry.remove()
  }
})

/** Until nothing new has come for a moment. */
async function settledListener(listener: Listener): Promise<void> {
  let before = -1
  await expect
    .poll(
      () => {
        const isQuiet = before === listener.seen.length
        before = listener.seen.length
        return isQuiet
      },
      { interval: 500, timeout: 20_000 },
    )
    .toBe(true)
}

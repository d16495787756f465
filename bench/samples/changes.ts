import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '../fleet.ts'
import { ms, summary } from '../measure.ts'

const machines = Number(process.env['GANTRY_BENCH_CHANGES'] ?? 40)
const clients = 4
const GiB = 1024 ** 3
const settleMs = 300_000
const project = 'playground'

export interface Taken {
  start: number[]
  stop: number[]
}

/**
 * The duration of each start and stop in milliseconds, with several concurrent clients. The first call creates the
 * instances.
 */
export async function changes(port: number): Promise<Taken> {
  const all = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client(port)
      await client.signIn()
      return client
    }),
  )
  const [admin] = all
  if (!admin) throw new Error('no client')
  const names = Array.from({ length: machines }, (_, index) => `change-${index}`)
  const known = await admin.json<{ items: { name: string }[] }>(`/v1/instances?project=${project}&limit=1000`)
  const missing = names.filter((name) => !known.items.some((one) => one.name === name))
  const body = (name: string) => ({
    name,
    description: '',
    hostname: name,
    ncpus: 1,
    memory: GiB,
    start: false,
  })
  await each(all, missing, (client, name) =>
    client.send('POST', `/v1/instances?project=${project}`, body(name)),
  )
  const act = (verb: string) =>
    each(all, names, (client, name) =>
      client.send('POST', `/v1/instances/${name}/${verb}?project=${project}`),
    )
  const start = await act('start')
  await settled(admin, names, 'running')
  const stop = await act('stop')
  await settled(admin, names, 'stopped')
  return { start, stop }
}

async function each(
  all: readonly Client[],
  names: readonly string[],
  send: (client: Client, name: string) => Promise<unknown>,
): Promise<number[]> {
  const waiting = [...names]
  const taken: number[] = []
  await Promise.all(
    all.map(async (client) => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const begin = performance.now()
        await send(client, name)
        taken.push(performance.now() - begin)
      }
    }),
  )
  return taken
}

async function settled(admin: Client, names: readonly string[], state: string): Promise<void> {
  const until = performance.now() + settleMs
  for (;;) {
    const { items } = await admin.json<{ items: { name: string; run_state: string }[] }>(
      `/v1/instances?project=${project}&limit=1000`,
    )
    const left = items.filter(({ name, run_state }) => names.includes(name) && run_state !== state)
    if (left.length === 0) return
    if (performance.now() > until) throw new Error(`${left.length} instances are not ${state} yet`)
    await pause(250)
  }
}

/** Both kinds of change, with samples and without. */
export const changeRows = (without: Taken, taken: Taken): Record<string, string>[] =>
  (['start', 'stop'] as const).map((verb) => {
    const [before, beside] = [summary(without[verb], 1), summary(taken[verb], 1)]
    return {
      change: verb,
      count: String(taken[verb].length),
      'p50 without samples': ms(before.p50),
      'p95 without samples': ms(before.p95),
      'p50 with samples': ms(beside.p50),
      'p95 with samples': ms(beside.p95),
      'p95 ratio': (beside.p95 / before.p95).toFixed(2),
    }
  })

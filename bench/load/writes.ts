import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../fleet.ts'
import type { Times } from '../measure.ts'
import type { Call, Clients } from './clients.ts'

const GiB = 1024 ** 3
/**
 * Number of instances to create, start and stop by number of clients: more clients achieve more in the same
 * time.
 */
const share: Readonly<Record<number, number>> = { 1: 40, 10: 120, 50: 240 }

/** Time limit for instances to settle. */
const restMs = 300_000

interface Machine {
  id: string
  run_state: string
}

/** Creates, starts and stops instances, each call once. */
export async function churn(clients: Clients, admin: Client, count: number): Promise<[string, Times][]> {
  const many = share[count] ?? 0
  const create: Call = {
    method: 'POST',
    path: '/v1/instances?project=churn',
    body: { name: 'made-*', description: '', hostname: 'made-*', ncpus: 1, memory: GiB, start: false },
  }
  const created = await clients.once(
    count,
    Array.from({ length: many }, () => create),
  )
  const machines = await inState(admin, 'stopped', many)
  const each = (verb: string): Call[] =>
    machines.map(({ id }) => ({ method: 'POST', path: `/v1/instances/${id}/${verb}` }))
  const started = await clients.once(count, each('start'))
  await inState(admin, 'running', many)
  const stopped = await clients.once(count, each('stop'))
  await inState(admin, 'stopped', many)
  return [
    ['create an instance', created],
    ['start an instance', started],
    ['stop an instance', stopped],
  ]
}

/** The first `many` instances of the project, once all have settled in the state. */
async function inState(admin: Client, state: string, many: number): Promise<Machine[]> {
  const until = performance.now() + restMs
  for (;;) {
    const { items } = await admin.json<{ items: Machine[] }>(`/v1/instances?project=churn&limit=${many}`)
    const others = items.filter(({ run_state }) => run_state !== state)
    if (others.length === 0) return items
    if (performance.now() > until) throw new Error(`${others.length} machines are not ${state} yet`)
    await pause(250)
  }
}

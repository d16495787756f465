import { performance } from 'node:perf_hooks'
import { Kysely } from 'kysely'
import type { Tables } from '../packages/control-plane/src/db/tables.ts'
import { runMachine, writeSamples } from '../packages/control-plane/src/testing/sampled-machine.ts'
import { testServices } from '../packages/control-plane/src/testing/services.ts'
import { type BenchDatabase, withDatabases } from './databases.ts'
import { Client, serve } from './fleet.ts'
import { ms, summary, table } from './measure.ts'

/** Large queries that one viewer sends at once. */
const large = Number(process.env['GANTRY_BENCH_LARGE'] ?? 16)
/** Of samples; a query of 64 vCPUs over them reads nearly as many points as one may. */
const hours = 5
const hourMs = 3_600_000

const usage = `get virtual_machine:vcpu_usage | filter timestamp > @now() - ${hours}h`
const summed = 'align mean_within(1m) | group_by [instance_id], sum'
const queries = {
  large: `${usage} && vcpu_id < 62 | ${summed}`,
  small: `${usage} && state == "run" | ${summed}`,
}

/** What others wait for while one viewer sends the largest queries there are. */
export default async function measure(): Promise<void> {
  await withDatabases(async (databases) => {
    for (const database of databases) await onDatabase(database)
  })
}

async function onDatabase({ name, open, args }: BenchDatabase): Promise<void> {
  const first = await serve(args)
  const ids = await createMachines(first.port)
  await first.stop()
  const { dialect, close } = await open()
  const db = new Kysely<Tables>({ dialect })
  const until = Math.floor(Date.now() / 60_000) * 60_000
  const from = until - hours * hourMs
  for (const id of ids) await runMachine(db, id, crypto.randomUUID(), from - hourMs)
  await writeSamples(testServices({ db }), { from, until })
  // The server would make those of a day in its second round, beside the measurement.
  await db
    .insertInto('metric_progress')
    .values({ name: 'past', until: new Date(until) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await close()

  const server = await serve(args)
  try {
    const rows = await withoutAndWith(server.port)
    console.log(`\n${name}: ${large} queries of 64 vCPUs over ${hours} hours at once by one viewer`)
    table(rows)
  } finally {
    await server.stop()
  }
}

async function createMachines(port: number): Promise<string[]> {
  const admin = new Client(port)
  await admin.signIn()
  const ids: string[] = []
  for (const [project, ncpus] of [
    ['large', 64],
    ['small', 1],
  ] as const) {
    await admin.send('POST', '/v1/projects', { name: project, description: '' })
    const body = { name: 'web', description: '', hostname: 'web', ncpus, memory: 1024 ** 3, start: false }
    const { text } = await admin.send('POST', `/v1/instances?project=${project}`, body)
    ids.push((JSON.parse(text) as { id: string }).id)
  }
  return ids
}

async function withoutAndWith(port: number): Promise<Record<string, string | number>[]> {
  const as = async (username: string): Promise<Client> => {
    const client = new Client(port)
    await client.signIn(username)
    return client
  }
  const ask = (client: Client, project: 'large' | 'small') =>
    client.send('POST', `/v1/timeseries/query?project=${project}`, { query: queries[project] })
  const [stranger, reader] = [await as('member'), await as('member')]
  const calls = {
    'a query of 1 vCPU': () => ask(stranger, 'small'),
    'GET /v1/me': () => reader.send('GET', '/v1/me'),
  }
  const takenUntil = async (isOver: (count: number) => boolean): Promise<Record<string, number[]>> => {
    const all = Object.entries(calls).map(async ([call, send]) => {
      const taken: number[] = []
      while (!isOver(taken.length)) {
        const begin = performance.now()
        await send()
        taken.push(performance.now() - begin)
      }
      return [call, taken] as const
    })
    return Object.fromEntries(await Promise.all(all))
  }

  const without = await takenUntil((count) => count >= 50)
  const viewers = await Promise.all(Array.from({ length: large }, () => as('viewer')))
  let pending = large
  const begin = performance.now()
  const answers = viewers.map((viewer) => ask(viewer, 'large').finally(() => pending--))
  const beside = await takenUntil((count) => count > 0 && pending === 0)
  await Promise.all(answers)
  const tookMs = performance.now() - begin
  return Object.keys(calls).map((call) => {
    const [alone, others] = [without[call] ?? [], beside[call] ?? []]
    const figures = summary(others, tookMs)
    return {
      call,
      'p50 alone': ms(summary(alone, tookMs).p50),
      'p50 beside them': ms(figures.p50),
      'p95 beside them': ms(figures.p95),
      'longest beside them': ms(Math.max(...others)),
      'answered meanwhile': others.length,
      'all of them': ms(tookMs),
    }
  })
}

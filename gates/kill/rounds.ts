import { sql } from 'kysely'
import { expect } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { pause, seeded } from './chance.ts'
import type { Installation } from './installation.ts'
import { expectConsistent, expectSettled } from './invariants.ts'
import { Ledger } from './ledger.ts'
import { Listener } from './listener.ts'
import type { Load } from './load.ts'
import { churn } from './churn.ts'
import { tableProblems } from './tables.ts'
import { Uploader } from './uploads.ts'

const clients = 5
/** After this many rounds it may settle before the next kill. */
const restEvery = 5
const crashEvery = 10
/** A working server acknowledges something in less time, even on a slow host. */
const deadlineMs = 60_000
/** A request made this often has succeeded at least once, unless it is wrong. */
const often = 10

/**
 * A mixed load on a server that is killed at random moments, round after round; sometimes the database's own
 * server is killed first. Everything acknowledged exists, once and complete. Returns the problems found in
 * the tables.
 */
export async function killAgainAndAgain(installation: Installation, rounds: number): Promise<string[]> {
  const { gantry } = installation
  await gantry.start()
  const client = new Client(gantry)
  const listener = new Listener()
  const load = await prepare(client)
  const { ledger, chance } = load
  const uploader = new Uploader()
  const { id: userId } = await client.read<{ id: string }>('/v1/me')
  const restarts: number[] = []
  let crashes = 0
  const began = performance.now()
  const following = listener.follow(gantry, client)
  try {
    for (let round = 1; round <= rounds; round++) {
      let isOver = false
      const work = Array.from({ length: clients }, () => churn(load, () => isOver))
      work.push(uploader.work(load, () => isOver))
      await untilAcknowledged(ledger, 10 + chance() * 150)
      const { crashDatabase } = installation
      if (crashDatabase && round % crashEvery === 0) {
        // The server survives without its database, and then works with it again.
        await crashDatabase()
        crashes++
        await untilAcknowledged(ledger, 5)
      }
      expect(gantry.isAlive, `round ${round}: the server ended on its own\n${gantry.log}`).toBe(true)
      await gantry.kill('SIGKILL')
      isOver = true
      await Promise.all(work)
      const started = performance.now()
      await gantry.start()
      restarts.push(performance.now() - started)
      try {
        await (round % restEvery === 0 || round === rounds ? expectSettled(load) : expectConsistent(load))
      } catch (error) {
        throw new Error(`round ${round}: ${(error as Error).message}`, { cause: error })
      }
      if (round % 10 === 0) console.log(`round ${round}: ${ledger.acknowledged} changes acknowledged`)
    }
    await awaitLastChange(listener, load)
  } finally {
    listener.stop()
    await following
  }
  expect(neverSucceeded(ledger), 'requests that never succeeded').toEqual([])
  await stopsIdle(installation)
  console.log(summary(ledger, listener, { restarts, crashes, ms: performance.now() - began }))
  return installation.look(async (db) => [
    ...(await listener.complaints(db, userId)),
    ...(await tableProblems(db, ledger, installation.contents())),
  ])
}

/** A separate project for the load, whatever its current name. */
export async function prepare(client: Client): Promise<Load> {
  await client.signIn()
  const response = await client.send('POST', '/v1/projects', { name: 'churn-0', description: '' })
  const { id: project } = (await response.json()) as { id: string }
  const { items } = await client.read<{ items: { id: string; display_name: string }[] }>('/v1/users')
  const users = items.filter(({ display_name }) => display_name !== 'admin').map(({ id }) => id)
  let count = 0
  const nextName = (prefix: string): string => `${prefix}-${++count}`
  return { client, ledger: new Ledger(), chance: seeded(20_261_121), project, users, nextName }
}

/** Resolves soon after `more` further changes were acknowledged, however fast the host is. */
export async function untilAcknowledged(ledger: Ledger, more: number): Promise<void> {
  const enough = ledger.acknowledged + more
  const until = performance.now() + deadlineMs
  while (ledger.acknowledged < enough) {
    const left = enough - ledger.acknowledged
    if (performance.now() > until)
      throw new Error(`${left} of ${more} changes were not acknowledged in a minute`)
    await pause(10)
  }
}

/** Requests that never succeeded, for which the invariants would hold trivially. */
export function neverSucceeded({ tally }: Ledger): string[] {
  const asked = new Map<string, { times: number; isDone: boolean }>()
  for (const [answer, count] of tally) {
    const what = answer.slice(0, -4)
    const { times, isDone } = asked.get(what) ?? { times: 0, isDone: false }
    asked.set(what, { times: times + count, isDone: isDone || /2..$/.test(answer) })
  }
  return [...asked].filter(([, { times, isDone }]) => times >= often && !isDone).map(([what]) => what)
}

/** Makes one more change, to know how far the listener must have come. */
export async function awaitLastChange(listener: Listener, { client, nextName }: Load): Promise<void> {
  const body = { name: nextName('last'), description: '', public_key: 'ssh-ed25519 AAAA' }
  const response = await client.send('POST', '/v1/me/ssh-keys', body)
  const { id } = (await response.json()) as { id: string }
  await expect.poll(() => listener.ids.has(id), { timeout: 20_000 }).toBe(true)
}

/** Stops with no work left; waits as long as an interrupted copy needs. */
async function stopsIdle({ gantry, look }: Installation): Promise<void> {
  const left = sql<{ what: string }>`SELECT kind || ' ' || args AS what FROM job WHERE state = 'pending'
    UNION ALL SELECT 'a change of ' || kind FROM change WHERE seq IS NULL`
  for (let attempt = 0; attempt < 20; attempt++) {
    await gantry.kill('SIGTERM')
    const { rows } = await look((db) => left.execute(db))
    if (rows.length === 0) return
    await gantry.start()
    await pause(4000)
  }
}

interface Course {
  /** The duration of each start, in milliseconds. */
  restarts: number[]
  /** Crashes of the database's own server. */
  crashes: number
  ms: number
}

function summary(ledger: Ledger, listener: Listener, { restarts, crashes, ms }: Course): string {
  const sorted = restarts.toSorted((a, b) => a - b).map(Math.round)
  const middle = sorted[Math.floor(sorted.length / 2)]
  const answers = [...ledger.tally].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    `${restarts.length} kills, ${crashes} of them after an end of the database's own server, `,
    `in ${(ms / 1000).toFixed(0)} s: ${ledger.acknowledged} changes acknowledged, `,
    `${ledger.uploads} images uploaded, ${listener.seen.length} events in order over ${listener.connections} streams, `,
    `restarts ${middle} ms (median), ${sorted.at(-1)} ms (longest)\n`,
    answers.map(([what, times]) => `  ${what}: ${times}`).join('\n'),
  ].join('')
}

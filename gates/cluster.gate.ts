import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../e2e/support/client.ts'
import { Cluster } from '../e2e/support/cluster.ts'
import { password } from '../e2e/support/target.ts'
import { serialLine } from './cluster/serial-line.ts'
import { contentsOf, type Database, withDatabase } from './kill/installation.ts'
import { expectSettled } from './kill/invariants.ts'
import { Listener } from './kill/listener.ts'
import type { Load } from './kill/load.ts'
import { churn } from './kill/churn.ts'
import { awaitLastChange, neverSucceeded, prepare, untilAcknowledged } from './kill/rounds.ts'
import { tableProblems } from './kill/tables.ts'
import { Uploader } from './kill/uploads.ts'

interface BulkAction {
  id: string
  state: string
  items: { state: string }[]
}

const GiB = 1024 ** 3
const clients = 5
/** Fewer during development. */
const kills = Number(process.env['GANTRY_CLUSTER_KILLS'] ?? 12)

const opened = await Cluster.open()

test('three processes start on one database', (context) => {
  if ('missing' in opened) return context.skip(opened.missing)
  expect(opened.members).toHaveLength(3)
})

describe.skipIf('missing' in opened)('three processes on one database', () => {
  if ('missing' in opened) return
  const cluster = opened
  const client = new Client(cluster)
  let load: Load
  const look = <Result>(at: (db: Database) => Promise<Result>): Promise<Result> =>
    withDatabase({ url: cluster.database }, at)
  const inProject = (path: string): string => `${path}?project=${load.project}`

  beforeAll(async () => {
    load = await prepare(client)
  })
  afterAll(() => cluster.remove())

  async function machines(count: number, prefix: string, start: boolean): Promise<string[]> {
    const names = Array.from({ length: count }, () => load.nextName(prefix))
    const made: string[] = []
    for (const name of names) {
      const body = { name, description: '', hostname: name, ncpus: 1, memory: GiB, start }
      const response = await client.send('POST', inProject('/v1/instances'), body)
      expect(response.status).toBe(201)
      made.push(((await response.json()) as { id: string }).id)
    }
    return made
  }

  test('a session is valid on all of them, from its beginning to its end', async () => {
    const states = async (who: Client): Promise<number[]> =>
      Promise.all(
        cluster.members.map(async ({ url }) => {
          return (await fetch(`${url}/v1/me`, { headers: who.headers })).status
        }),
      )
    const one = new Client(cluster)
    await one.signIn()
    expect(await states(one)).toEqual([200, 200, 200])
    expect((await one.send('POST', '/v1/logout')).status).toBe(204)
    expect(await states(one)).toEqual([401, 401, 401])
  })

  test('a serial console is shared, whichever process shows it or takes input', async () => {
    const [instance = ''] = await machines(1, 'talker', true)
    const view = () => client.read<{ run_state: string }>(`/v1/instances/${instance}`)
    await expect.poll(async () => (await view()).run_state, { timeout: 60_000 }).toBe('running')
    // Each goes through the proxy, so three in turn reach three processes.
    const lines = [
      await serialLine(cluster.url, client, instance),
      await serialLine(cluster.url, client, instance),
      await serialLine(cluster.url, client, instance),
    ]
    const all = (text: string) =>
      expect.poll(() => lines.map((line) => line.text().includes(text)), { timeout: 30_000 })
    await all('login:').toEqual([true, true, true])
    for (const [at, line] of lines.entries()) {
      line.type(`somebody-${at}`)
      await all(`somebody-${at}`).toEqual([true, true, true])
    }
    const [first] = lines
    await expect.poll(() => new Set(lines.map((line) => line.text())).size, { timeout: 10_000 }).toBe(1)
    expect(first?.text().match(/somebody-/g)).toHaveLength(3)
    for (const line of lines) line.close()
    await client.send('POST', `/v1/instances/${instance}/stop`)
  })

  test('kills under load lose nothing, duplicate nothing, and leave no gap in the stream', async () => {
    const { ledger, chance } = load
    const listener = new Listener()
    const following = listener.follow(cluster, client)
    const uploader = new Uploader()
    let isOver = false
    const work = Array.from({ length: clients }, () => churn(load, () => isOver))
    work.push(uploader.work(load, () => isOver))
    try {
      for (let kill = 0; kill < kills; kill++) {
        await untilAcknowledged(ledger, 20 + chance() * 150)
        await cluster.killOne()
        // The others continue meanwhile.
        await untilAcknowledged(ledger, 10 + chance() * 40)
        await cluster.start()
      }
      isOver = true
      await Promise.all(work)
      await expectSettled(load)
      await awaitLastChange(listener, load)
      const { id: userId } = await client.read<{ id: string }>('/v1/me')
      expect(await look((db) => listener.complaints(db, userId))).toEqual([])
    } finally {
      isOver = true
      listener.stop()
      await Promise.allSettled([...work, following])
    }
    await expect
      .poll(() => look(pendingJobs), { timeout: 120_000, interval: 1000, message: 'work that never settles' })
      .toEqual([])
    expect(await look((db) => tableProblems(db, ledger, contentsOf(cluster.dataDir)))).toEqual([])
    expect(ledger.uploads, 'images with parts on different processes').toBeGreaterThan(0)
    expect(neverSucceeded(ledger), 'requests that never succeeded').toEqual([])
    console.log(
      `${kills} kills of one of three: ${ledger.acknowledged} changes acknowledged, ${ledger.uploads} images uploaded, ` +
        `${listener.seen.length} events in order over ${listener.connections} streams`,
    )
  })

  test("another process takes over a killed one's work, and does only what remains", async () => {
    for (let attempts = 0; attempts < 2;) {
      const instances = await machines(60, 'bulk', false)
      const body = { action: 'delete', instances }
      const response = await client.send('POST', inProject('/ext/v1/instance-actions'), body)
      expect(response.status).toBe(202)
      const { id } = (await response.json()) as BulkAction
      await expect
        .poll(() => look((db) => itemsDone(db, id)), { timeout: 60_000, interval: 10 })
        .toBeGreaterThan(5)
      await Promise.all(cluster.members.slice(0, 2).map((member) => member.kill('SIGKILL')))
      const last = new Client(cluster.members[2] ?? cluster)
      await last.signIn()
      const view = () => last.read<BulkAction>(`/ext/v1/instance-actions/${id}`)
      await expect.poll(async () => (await view()).state, { timeout: 60_000, interval: 250 }).toBe('done')
      // A second deletion would have found nothing to delete.
      expect((await view()).items.map(({ state }) => state)).toEqual(instances.map(() => 'done'))
      attempts = await look((db) => attemptsAt(db, id))
      await cluster.start()
    }
  })

  test('password guesses are limited as soon as with one process', async () => {
    const guess = { username: 'omar', password: `not ${password}` }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 30; attempt++)
      statuses.push((await client.send('POST', '/v1/login/demo/local', guess)).status)
    const tried = statuses.filter((status) => status === 401)
    // Ten, and one more for each half minute that the test takes.
    expect(tried.length).toBeGreaterThanOrEqual(10)
    expect(tried.length).toBeLessThan(20)
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
  })
})

const pendingJobs = async (db: Database): Promise<string[]> =>
  (
    await sql<{ what: string }>`SELECT kind || ' ' || args AS what FROM job WHERE state = 'pending'`.execute(
      db,
    )
  ).rows.map(({ what }) => what)

async function itemsDone(db: Database, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM instance_action_item
    WHERE action_id = ${id} AND state = 'done'`.execute(db)
  return Number(rows[0]?.count)
}

async function attemptsAt(db: Database, id: string): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`SELECT attempts FROM job
    WHERE kind = 'instance-action' AND args ->> 'action_id' = ${id}`.execute(db)
  return Number(rows[0]?.attempts)
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { countedStatements } from '@gantry/control-plane/testing/counted-statements'
import { migratedDatabase } from '@gantry/control-plane/testing/migrated-database'
import { startedMachine, writeSamples } from '@gantry/control-plane/testing/sampled-machine'
import { testServices } from '@gantry/control-plane/testing/services'
import { inShare } from './shares.ts'
import { metricWatch } from '../saved/watch.ts'

const minute = 60_000
/** Of samples. Reading them gives one in five seconds, so that those of 16 vCPUs in 4 states are a large query. */
const minutes = 75
const start = Date.parse('2026-03-02T10:00:00Z')

let bed: TestBed
let counted: ReturnType<typeof countedStatements>
let now = start
let member: Caller
let viewer: Caller
const clock = () => new Date(now)
const services = () => testServices({ db: bed.db, clock })

/** A machine whose queries are large, and one whose queries are small. */
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ idle: true, dialect: counted.dialect, environment: { clock } })
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  for (const [project, ncpus] of [
    ['large', 16],
    ['small', 1],
  ] as const) {
    await member.post('/v1/projects', { name: project, description: '' })
    await startedMachine(bed, member, { project, name: 'web', ncpus, since: now })
  }
  now = start + minutes * minute
  await writeSamples(services(), { from: start, until: now })
})
afterAll(() => bed.stop())

const usage = 'get virtual_machine:vcpu_usage | filter timestamp > @now() - 2h'
const total = `${usage} | align mean_within(5m) | group_by [instance_id], sum`

function send(who: Caller, project: string, query: string, signal?: AbortSignal): Promise<Response> {
  const request = new Request(`http://localhost/v1/timeseries/query?project=${project}`, {
    method: 'POST',
    headers: { cookie: who.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    ...(signal && { signal }),
  })
  return bed.plane.fetch(request, { address: '127.0.0.1' })
}
/** Statements that read samples. */
const reads = (sent: readonly string[]): number =>
  sent.filter((text) => text.includes('"metric_head"') || text.includes('"metric_block"')).length

test('one query of a stranger does not wait for the sixteen large ones of somebody else', async () => {
  const ended: string[] = []
  const note = async (name: string, answer: Promise<Response>): Promise<void> => {
    expect((await answer).status).toBe(200)
    ended.push(name)
  }
  const all = Array.from({ length: 16 }, (_, index) => note(`large ${index}`, send(viewer, 'large', total)))
  all.push(note('small', send(member, 'small', total)))
  await Promise.all(all)
  expect(ended).toHaveLength(17)
  expect(ended.indexOf('small')).toBeLessThan(8)
})

test('queries whose callers are gone leave the queue, and those being evaluated end', async () => {
  const gone = new AbortController()
  let statuses: number[] = []
  const first = await counted.during(async () => {
    await send(member, 'small', total)
  })
  const sent = await counted.during(async () => {
    const answers = Array.from({ length: 100 }, () => send(viewer, 'large', total, gone.signal))
    // A request that waits for its turn in the queue of the person's requests is evaluated after these.
    await send(member, 'small', total)
    gone.abort()
    statuses = await Promise.all(answers.map(async (answer) => (await answer).status))
  })
  expect(statuses.filter((status) => status === 499).length).toBeGreaterThan(90)
  // Two at a time were evaluated; hardly any after they left.
  expect(reads(sent)).toBeLessThan(reads(first) + 10 * reads(first))
  expect((await send(viewer, 'small', total)).status).toBe(200)
})

test('what a gone caller leaves behind is no error and no record', async () => {
  const before = await bed.db.selectFrom('audit').selectAll().execute()
  const gone = new AbortController()
  gone.abort()
  expect((await send(viewer, 'large', total, gone.signal)).status).toBe(499)
  expect(await bed.db.selectFrom('audit').selectAll().execute()).toEqual(before)
  expect(bed.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('thresholds are evaluated while people hold every place', async () => {
  const threshold = { comparison: 'above', value: 0, for_seconds: 0 }
  const at = '/ext/v1/metric-queries'
  const body = { name: 'busy', description: '', query: total, threshold }
  expect((await member.post(`${at}?project=large`, body)).status).toBe(201)
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const holders = Array.from({ length: 40 }, (_, index) =>
    inShare({ user: () => ({ user_id: `user ${index}` }), othersRan: false }, async (spend) => {
      await spend(1_000_000)
      await ended
    }),
  )
  await metricWatch.run(services())
  const { watch } = (await member.get(`${at}/busy?project=large`)).body
  expect([watch.state, watch.problem]).toEqual(['firing', null])
  end()
  await Promise.all(holders)
})

test('thresholds of one project do not wait for the large ones of another', async () => {
  const threshold = { comparison: 'above', value: 0, for_seconds: 0 }
  now += minute
  // Those of the large project are due first, after the one of the previous test.
  for (const project of ['large', 'small'])
    for (let index = 0; index < 3; index++) {
      const body = { name: `${project}-${index}`, description: '', query: total, threshold }
      expect((await member.post(`/ext/v1/metric-queries?project=${project}`, body)).status).toBe(201)
      now++
    }
  const evaluating = { ...services(), clock: () => new Date(now++) }
  await metricWatch.run(evaluating)
  const rows = await bed.db
    .selectFrom('metric_watch as w')
    .innerJoin('metric_query as q', 'q.id', 'w.metric_query_id')
    .select('q.name')
    .orderBy('w.evaluated')
    .execute()
  expect(rows.map(({ name }) => name)).toEqual([
    'busy',
    'small-0',
    'small-1',
    'small-2',
    'large-0',
    'large-1',
    'large-2',
  ])
})

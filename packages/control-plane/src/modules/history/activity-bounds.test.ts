import type { ActivityEntry } from '@gantry/api/history/activity'
import { activityExamined } from '@gantry/api/history/activity.rules'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { withNote } from '../../testing/counted-statements.ts'
import { made } from '../../testing/hidden-things.ts'
import { migratedDatabase } from '../../testing/migrated-database.ts'

/** Entries of a project, of which a page examines a third at most. */
const entries = 3 * activityExamined

let bed: TestBed
let member: Caller
let viewer: Caller
let project: string
/** What happens while a page of positions is read, before anything else of that page. */
let meanwhile: (() => void) | undefined
let pages: CompiledQuery[] = []
beforeAll(async () => {
  const dialect = withNote(await migratedDatabase(), (text, parameters) => {
    if (!text.includes(' AS branch') || text.startsWith('EXPLAIN')) return
    pages.push(CompiledQuery.raw(text, [...parameters]))
    const work = meanwhile
    meanwhile = undefined
    work?.()
  })
  bed = await testControlPlane({ dialect, idle: true })
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  project = await made(member, '/v1/projects', { name: 'atlas', description: '' })
  await made(member, '/v1/vpcs?project=atlas', { name: 'rare', description: '', dns_name: 'rare' })
  await made(member, '/v1/projects', { name: 'other', description: '' })
  await sql`UPDATE change SET time = time - interval '30 days'`.execute(bed.db)
  await manyEdits('atlas', entries)
  await manyEdits('other', entries)
  // As databases do of themselves once there is so much; otherwise a plan rests on nothing.
  await sql`ANALYZE change`.execute(bed.db)
})
afterAll(() => bed.stop())

/** As an edit of a disk every minute leaves them; its id is that of its project. */
async function manyEdits(name: string, count: number): Promise<void> {
  await sql`
    INSERT INTO change (id, seq, transaction_id, position, time, silo_id, project_id, kind, op, object_id, name, generation,
      before, after, actor, request_id, operation, action, entry_id, entry_place)
    SELECT made.id, NULL, made.id, 0, now() - made.n * interval '1 minute', made.silo_id, made.project_id, 'disk', 'update',
      made.project_id, 'busy', made.n, '{"description": "one"}', '{"description": "two"}', '{"kind": "unauthenticated"}',
      NULL, 'disk_create', 'edited', made.id, 0
    FROM (SELECT md5(name || n)::uuid AS id, n, silo_id, id AS project_id FROM project, generate_series(1, ${count}::int) n
      WHERE name = ${name}) made`.execute(bed.db)
}

/** Rows that the scans of a statement give. */
async function examinedBy({ sql: text, parameters }: CompiledQuery): Promise<number> {
  const { rows } = await bed.db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    CompiledQuery.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...parameters]),
  )
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  return plan ? scanned(plan) : Number.NaN
}
interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}
const scanned = (plan: Plan): number =>
  ['change', 'audit'].includes(plan['Relation Name'] ?? '')
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : (plan.Plans ?? []).reduce((sum, each) => sum + scanned(each), 0)

interface Read {
  items: ActivityEntry[]
  next_page: string | null
  time_searched: string | null
}
const page = async (query: string, by = viewer): Promise<Read> => {
  const { status, body } = await by.get(`/ext/v1/activity?${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
/** All pages of a filter. */
async function search(query: string, by = viewer): Promise<Read[]> {
  const all = [await page(`${query}&limit=50`, by)]
  for (let last = all[0]; last?.next_page && all.length < 50; last = all.at(-1))
    all.push(await page(`limit=50&page_token=${encodeURIComponent(last.next_page)}`, by))
  return all
}

test.each([
  'project=atlas&kind=vpc',
  'project=atlas&action=created&kind=vpc',
  'project=atlas&by=member&kind=vpc',
  'project=atlas&search=rare&kind=vpc',
  'kind=vpc&by_platform=false',
  'mine=true&kind=vpc',
])('a rare match is found page by page, none of which examines much: %s', async (query) => {
  pages = []
  const read = await search(query)
  const found = read.flatMap(({ items }) => items).flatMap(({ changes }) => changes[0]?.name)
  expect(found.filter((name) => name === 'rare')).toHaveLength(query.startsWith('mine') ? 0 : 1)
  for (const statement of pages)
    expect(await examinedBy(statement)).toBeLessThanOrEqual(activityExamined + 10)
  // Each page says until when it searched, always further back; the last is complete.
  const until = read.flatMap(({ time_searched }) => time_searched ?? [])
  expect(until).toEqual(until.toSorted().toReversed())
  expect(new Set(until).size).toBe(until.length)
  expect(read.at(-1)?.time_searched).toBeNull()
  expect(read.slice(0, -1).every(({ next_page }) => next_page !== null)).toBe(true)
})

test('a page that fills soon examines little, and each entry comes once in either direction', async () => {
  pages = []
  await page('project=atlas&limit=50')
  expect(await examinedBy(pages[0] as CompiledQuery)).toBeLessThan(60)
  for (const order of ['descending', 'ascending']) {
    const read = await search(`project=atlas&kind=disk&kind=vpc&sort_by=time_and_id_${order}&outcome=changed`)
    const ids = read.flatMap(({ items }) => items.map(({ id }) => id))
    expect(ids.length).toBe(50 * 50)
    expect(new Set(ids).size).toBe(ids.length)
  }
  const rare = await search('project=atlas&kind=vpc&sort_by=time_and_id_ascending')
  const until = rare.flatMap(({ time_searched }) => time_searched ?? [])
  expect(until).toEqual(until.toSorted())
  expect(rare.flatMap(({ items }) => items).map(({ changes }) => changes[0]?.name)).toContain('rare')
})

test('where a search ends says nothing of what is elsewhere', async () => {
  const stranger = await bed.addUser('of-one', { roles: [{ at: { project }, role: 'viewer' }] })
  const { id: elsewhere } = (await member.get('/v1/projects/other')).body
  // How often an object of another project changed is not told: it is searched for along the one that they may see.
  const read = await search(`project=atlas&object=${elsewhere}`, stranger)
  expect(read.flatMap(({ items }) => items)).toEqual([])
  const alike = await search('project=atlas&kind=probe', stranger)
  expect(read.map(({ time_searched }) => time_searched)).toEqual(
    alike.map(({ time_searched }) => time_searched),
  )
  const never = await search('project=atlas&search=never-was&kind=probe', stranger)
  expect(never).toEqual([{ items: [], next_page: null, time_searched: null }])
  // A search that ends between entries ends at a round time, which is that of no entry.
  const [first] = await search('project=atlas&kind=probe', stranger)
  expect(first?.time_searched).toMatch(/:00:00\.000Z$/)
})

test('sixteen searches at once all come to their end', async () => {
  const read = await Promise.all(Array.from({ length: 16 }, () => search('project=atlas&kind=vpc')))
  const counts = read.map((each) => each.flatMap(({ items }) => items).length)
  expect(counts).toEqual(Array.from({ length: 16 }, () => counts[0]))
  expect(counts[0]).toBeGreaterThan(0)
})

test('a reader who hangs up in the middle leaves nothing behind', async () => {
  const gone = new AbortController()
  let statements = 0
  const before = bed.logged.length
  meanwhile = () => {
    gone.abort(new Error('the client left'))
    statements = pages.length
  }
  pages = []
  const request = new Request('http://localhost/ext/v1/activity?project=atlas&kind=vpc', {
    headers: { cookie: viewer.cookie },
    signal: gone.signal,
  })
  await bed.plane.fetch(request, { address: '127.0.0.1' }).catch(() => undefined)
  expect(statements).toBe(1)
  expect(pages).toHaveLength(1)
  expect(bed.logged.slice(before).filter(({ level }) => level === 'error')).toEqual([])
  expect((await search('project=atlas&kind=vpc')).at(-1)?.time_searched).toBeNull()
})

/** A user with a role in the project. */
const guest = (name: string) => bed.addUser(name, { roles: [{ at: { project }, role: 'viewer' }] })
const end = ({ id }: { id: string }) => {
  // A caller is authenticated again after a second.
  bed.pass(2000)
  return sql`WITH ended AS (DELETE FROM role_assignment WHERE identity_id = ${id})
    UPDATE counter SET value = value + 1 WHERE name = 'roles'`.execute(bed.db)
}

test('a right that ends between two pages ends the search', async () => {
  const user = await guest('leaving')
  const { next_page } = await page('project=atlas&kind=vpc', user)
  const path = `/ext/v1/activity?page_token=${encodeURIComponent(next_page ?? '')}`
  expect((await user.get(path)).status).toBe(200)
  await end(user)
  expect((await user.get(path)).status).toBe(404)
})

test('a right that ends in the middle of a page ends that page', async () => {
  const user = await guest('leaving-at-once')
  expect((await page('project=atlas&limit=50', user)).items.length).toBe(50)
  meanwhile = () => void end(user)
  expect((await user.get('/ext/v1/activity?project=atlas&limit=50')).status).toBe(404)
})

import { listSorts } from '@gantry/api/base/list.rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, said, type TestBed, testControlPlane } from '../testing/control-plane.ts'

let bed: TestBed
let me: Caller
const all = 120
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  // Many share a state, and groups of ten share a time except for its microseconds.
  await sql`INSERT INTO instance (id, time_created, time_modified, name, description, project_id, ncpus, memory, hostname,
      user_data, run_state, time_run_state_updated, intended_state)
    SELECT gen_random_uuid(), timestamptz '2025-01-01 00:00:00.000001Z' + (n / 10) * interval '3 microseconds', now(),
      CASE n % 3 WHEN 0 THEN 'web-' ELSE 'db-' END || lpad(n::text, 3, '0'), '', p.id, 1, 1073741824, 'h', '',
      CASE n % 4 WHEN 0 THEN 'failed' ELSE 'stopped' END, now(), 'stopped'
    FROM generate_series(0, ${all - 1}::int) n, project p WHERE p.name = 'playground'`.execute(bed.db)
  for (const table of ['disk', 'snapshot'])
    for (const name of ['first', 'second'])
      await me.post(`/v1/${table}s?project=playground`, {
        name,
        description: '',
        size: 1024 ** 3,
        disk: 'first',
        disk_source: { type: 'blank', block_size: 512 },
      })
})
afterAll(() => bed.stop())

interface Item {
  id: string
  name: string
  run_state: string
}
const list = (query: string, path = '/ext/v1/instances') => me.get(`${path}?project=playground&${query}`)
const namesOf = async (query: string): Promise<string[]> =>
  (await list(`${query}&limit=1000`)).body.items.map(({ name }: Item) => name)

/** Everything that paging returns, each page requested by the previous token alone. */
async function walk(query: string, limit: number): Promise<Item[]> {
  const seen: Item[] = []
  let { body } = await list(`${query}&limit=${limit}`)
  while (body.items.length > 0) {
    seen.push(...body.items)
    const token = encodeURIComponent(body.next_page)
    ;({ body } = await me.get(`/ext/v1/instances?limit=${limit}&page_token=${token}`))
  }
  expect(body.next_page).toBe(null)
  return seen
}

describe.each(listSorts)('sorted by %s', (sort) => {
  test.each(['', 'name=B-', 'state=failed', 'state=failed,stopped&name=web'])(
    'and filtered by "%s", pages return every row once and in order',
    async (filter) => {
      const query = `sort_by=${sort}&${filter}`
      const whole: Item[] = (await list(`${query}&limit=1000`)).body.items
      expect(whole.length).toBeGreaterThan(20)
      for (const limit of [1, 7]) expect(await walk(query, limit)).toEqual(whole)
    },
  )

  test('descending order is the exact reverse', async () => {
    const turned = sort.endsWith('_ascending')
      ? sort.replace('_ascending', '_descending')
      : sort.replace('_descending', '_ascending')
    expect(await namesOf(`sort_by=${sort}`)).toEqual((await namesOf(`sort_by=${turned}`)).toReversed())
  })
})

test('rows come in the requested order', async () => {
  const names = await namesOf('')
  expect(names).toEqual(names.toSorted())
  const states = (await list('sort_by=state_ascending&limit=1000')).body.items.map(
    (item: Item) => item.run_state,
  )
  expect(states).toEqual(states.toSorted())
  expect(new Set(states).size).toBe(2)
  const byTime = await namesOf('sort_by=time_created_ascending')
  const tens = byTime.map((name) => Math.floor(Number(name.split('-')[1]) / 10))
  expect(tens).toEqual(tens.toSorted((a, b) => a - b))
})

test('filters select matching rows, and combined filters their intersection', async () => {
  const web = await namesOf('name=web')
  expect(web).toHaveLength(all / 3)
  expect(await namesOf('name=WEB-0')).toEqual(web.filter((name) => name.startsWith('web-0')))
  expect(await namesOf('name=')).toHaveLength(all)
  // Characters that are special in a pattern match literally.
  for (const text of ['%25', '_', '%5C', 'w%25b', 'nobody']) expect(await namesOf(`name=${text}`)).toEqual([])
  expect(await namesOf('state=failed')).toHaveLength(all / 4)
  for (const both of ['state=failed,stopped', 'state=failed&state=stopped'])
    expect(await namesOf(both)).toHaveLength(all)
  expect(await namesOf('state=running')).toEqual([])
  expect(await namesOf('state=failed&name=web')).toHaveLength(all / 12)
  const start = '2025-01-01T00:00:00Z'
  expect(await namesOf(`created_after=${start}`)).toHaveLength(all)
  expect(await namesOf(`created_before=${start}`)).toEqual([])
  expect(await namesOf('created_before=2025-01-01T01:00:00.001%2B01:00')).toHaveLength(all)
  expect(await namesOf(`created_after=2025-01-01T00:00:00.001Z&name=web`)).toEqual([])
  for (const far of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])
    expect((await list(`created_after=${far}&created_before=${far}`)).status).toBe(200)
})

test.each([
  ['state=sleeping', 'state.0: unknown variant `sleeping`, expected one of `creating`'],
  ['state=', 'state.0: unknown variant ``, expected one of'],
  ['created_after=yesterday', 'created_after: expected a date and time such as 2025-08-01T00:00:00Z'],
  ['created_before=2025-02-30T00:00:00Z', 'created_before: expected a date and time'],
  [`name=${'x'.repeat(64)}`, 'name: expected at most 63 characters'],
])('%s is refused', async (query, message) => {
  expect(said(await list(query))).toContain(`400 unable to parse query string: ${message}`)
})

test('a token can express nothing that a query could not', async () => {
  const { next_page } = (await list('limit=1&name=web&state=failed&sort_by=time_created_ascending')).body
  const marker = JSON.parse(atob(next_page.replaceAll('-', '+').replaceAll('_', '/')))
  const send = (more: object) =>
    me.get(`/ext/v1/instances?page_token=${btoa(JSON.stringify({ ...marker, ...more }))}`)
  expect(said(await send({}))).toBe('200')
  for (const bad of [
    { last: 'yesterday' },
    { last: '9'.repeat(17) },
    { id: 'x' },
    { sort: 'name_ascending' },
    { selectors: { ...marker.selectors, state: 'sleeping' } },
    { selectors: { ...marker.selectors, name: ['web'] } },
    { selectors: { ...marker.selectors, created_after: 'x' } },
    { op: 'disk_sorted_list' },
  ])
    expect(said(await send(bad)), JSON.stringify(bad)).toBe(
      '400 unable to parse query string: invalid page token',
    )
})

test('the longest query still fits into its token', async () => {
  const long = 'n'.repeat(63)
  await me.post('/v1/projects', { name: long, description: '' })
  const machine = { name: long, description: '', ncpus: 1, memory: 1024 ** 3, hostname: 'h', start: false }
  await me.post(`/v1/instances?project=${long}`, machine)
  const states = 'creating,starting,running,stopping,stopped,rebooting,migrating,repairing,failed,destroyed'
  const range = 'created_after=2000-01-01T00:00:00.000000Z&created_before=2999-01-01T00:00:00.000000Z'
  const query = `project=${long}&name=${long}&state=${states}&${range}&limit=1`
  const { body } = await me.get(`/ext/v1/instances?${query}`)
  expect(body.items).toHaveLength(1)
  expect((await me.get(`/ext/v1/instances?page_token=${body.next_page}`)).body.items).toEqual([])
})

test('disks and snapshots are listed the same way, by their own states', async () => {
  const names = async (path: string, query: string) =>
    (await list(query, path)).body.items.map(({ name }: Item) => name)
  expect(await names('/ext/v1/disks', 'sort_by=time_created_descending')).toEqual(['second', 'first'])
  expect(await names('/ext/v1/disks', 'state=attached')).toEqual([])
  expect(await names('/ext/v1/disks', 'state=detached&name=sec')).toEqual(['second'])
  expect(await names('/ext/v1/snapshots', 'sort_by=state_ascending&state=ready&name=first')).toEqual([
    'first',
  ])
  expect(said(await list('state=ready', '/ext/v1/disks'))).toContain('unknown variant `ready`')
})

test('requires permission to list the project', async () => {
  const stranger = await bed.addUser('stranger')
  expect(said(await stranger.get('/ext/v1/instances?project=playground'))).toBe(
    '404 not found: project with name "playground"',
  )
})

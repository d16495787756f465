import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SystemIssue } from '@gantry/api/system/system'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { keepEpisodes } from './episodes.ts'

let bed: TestBed
let operator: Caller
let member: Caller
let ahead = 0
beforeAll(async () => {
  bed = await testControlPlane({ idle: true })
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
})
afterAll(() => bed.stop())

const day = 86_400_000
const look = (): Promise<void> =>
  keepEpisodes({
    db: bed.db,
    certificates: undefined,
    clock: () => new Date(Date.now() + ahead),
    ending: new AbortController().signal,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  })
const pass = (ms: number): void => {
  ahead += ms
  bed.pass(ms)
}
const issues = async (query: string): Promise<SystemIssue[]> =>
  (await operator.get(`/ext/v1/system/issues?${query}`)).body.items
const setStorage = (storage: number) => operator.call('PUT', '/v1/system/silos/demo/quotas', { storage })

test('a quota is near its limit since it was first seen so, and past once it is not', async () => {
  const disk = { name: 'a', description: '', size: 2 ** 30, disk_source: { type: 'blank', block_size: 512 } }
  expect((await member.post('/v1/disks?project=playground', disk)).status).toBe(201)
  const before = (await operator.get('/v1/system/silos/demo/quotas')).body.storage
  const near = Math.ceil(2 ** 30 / 0.95)
  await setStorage(near)
  const open = 'state=open&kind=quota_near_limit'
  const past = 'state=past&kind=quota_near_limit'
  expect(await issues(open)).toMatchObject([{ severity: 'warning', since: null }])
  await Promise.all([look(), look()])
  const [first] = await issues(open)
  expect(first?.since).toEqual(expect.any(String))

  // It grows worse, is seen again, and has begun when it began.
  pass(60_000)
  await setStorage(2 ** 30)
  await look()
  expect(await issues(open)).toMatchObject([{ severity: 'critical', since: first?.since }])
  expect(await issues(past)).toEqual([])
  await setStorage(near)
  await look()

  // Once over, its record shows it at its worst.
  pass(60_000)
  await setStorage(before)
  await look()
  expect(await issues(open)).toEqual([])
  const over = await issues(past)
  expect(over).toMatchObject([
    {
      severity: 'critical',
      since: first?.since,
      ended: expect.any(String),
      message: 'Silo demo uses 100% of its storage quota: 1 GiB of 1 GiB.',
      touches: [{ kind: 'silo', name: 'demo' }],
    },
  ])

  // A second time it is another episode.
  await setStorage(near)
  await look()
  await setStorage(before)
  await look()
  expect(new Set((await issues(past)).map(({ id }) => id)).size).toBe(2)

  // Listed for a month, and forgotten afterwards.
  const longAgo = new Date(Date.now() + ahead - 31 * day)
  await bed.db.updateTable('issue_episode').set({ time_ended: longAgo }).execute()
  expect(await issues(past)).toEqual([])
  await look()
  expect(await bed.db.selectFrom('issue_episode').selectAll().execute()).toEqual([])
})

test('a pool that was nearly full, and an instance that had failed, are listed afterwards', async () => {
  const pool = '/v1/system/ip-pools'
  await operator.post(pool, { name: 'small', description: '' })
  await operator.post(`${pool}/small/ranges/add`, { first: '10.7.0.1', last: '10.7.0.1' })
  await operator.post(`${pool}/small/silos`, { silo: 'demo', is_default: false })
  const address = { name: 'only', description: '', pool: 'small' }
  expect((await member.post('/v1/floating-ips?project=playground', address)).status).toBe(201)
  const giant = { name: 'giant', description: '', hostname: 'giant', ncpus: 64, memory: 1023 * 2 ** 30 }
  await member.post('/v1/instances?project=playground', giant)
  await look()
  expect((await issues('state=open')).map(({ kind }) => kind).toSorted()).toEqual([
    'failed_instance',
    'nearly_full_pool',
  ])
  await member.call('DELETE', '/v1/floating-ips/only?project=playground')
  await member.post('/v1/instances/giant/stop?project=playground')
  await look()
  expect(await issues('state=open')).toEqual([])
  const past = await issues('state=past')
  const messageOf = (kind: string) => past.find((issue) => issue.kind === kind)?.message
  expect(past).toHaveLength(2)
  expect(messageOf('failed_instance')).toMatch(/^Instance giant failed/)
  expect(messageOf('nearly_full_pool')).toMatch(/^IP pool small has 100% of its IPv4 addresses/)
  for (const { since, ended } of past)
    expect(Date.parse(ended ?? '')).toBeGreaterThanOrEqual(Date.parse(since ?? ''))
})

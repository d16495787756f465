import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from './testing/control-plane.ts'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const at = (path: string): string => `${path}?project=playground`
const machine = (name: string, more: object = {}) => ({
  name,
  description: '',
  ncpus: 1,
  memory: GiB,
  hostname: name,
  start: false,
  ...more,
})
const blank = { type: 'blank', block_size: 512 }
const newDisk = (name: string, size = GiB) => ({ name, description: '', size, disk_source: blank })
const outcomes = (answers: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = status < 400 ? String(status) : `${status} ${body.message}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
const used = async () => (await me.get('/v1/utilization')).body.provisioned
const addresses = async (): Promise<number> =>
  (await sql<{ n: number }>`SELECT count(*) AS n FROM external_ip WHERE time_deleted IS NULL`.execute(bed.db))
    .rows[0]?.n ?? -1

test('a stale If-Match is refused with the current state, and changes nothing', async () => {
  const path = '/v1/projects/playground'
  const { headers } = await me.get(path)
  const put = (description: string, etag: string) =>
    me.call('PUT', path, { description }, { 'if-match': etag })
  const first = await put('first', headers.get('etag') ?? '')
  expect(first.status).toBe(200)
  expect(first.headers.get('etag')).not.toBe(headers.get('etag'))

  for (const stale of [
    headers.get('etag') ?? '',
    '"999"',
    'garbage',
    '""',
    `W/${headers.get('etag')}`,
    'W/"999"',
    'W/',
    '"1", "999"',
    '\u00ff',
  ]) {
    const refused = await put('second', stale)
    expect(refused.status, stale).toBe(412)
    expect(refused.body).toMatchObject({
      error_code: 'PreconditionFailed',
      current: { description: 'first' },
      details: { etag: first.headers.get('etag') },
    })
  }
  expect((await me.get(path)).body.description).toBe('first')
  expect((await put('any', '*')).status).toBe(200)
  const now = (await me.get(path)).headers.get('etag') ?? ''
  expect((await put('listed', `"999", ${now}`)).status).toBe(200)
})

test('an ETag that a compressing proxy made weak matches like the strong one', async () => {
  const path = '/v1/projects/playground'
  const put = async (list: (etag: string) => string) => {
    const etag = (await me.get(path)).headers.get('etag') ?? ''
    return (await me.call('PUT', path, { description: 'proxied' }, { 'if-match': list(etag) })).status
  }
  expect(await put((etag) => `W/${etag}`)).toBe(200)
  expect(await put((etag) => `"999", W/${etag}`)).toBe(200)
})

test('a taken name is refused on rename too, and is free again after a delete', async () => {
  const admin = await bed.signIn('admin')
  await me.post('/v1/projects', { name: 'first-name', description: '' })
  await me.post('/v1/projects', { name: 'other-name', description: '' })
  const rename = (name: string) => me.call('PUT', '/v1/projects/other-name', { name })
  expect(outcomes([await rename('first-name')])).toEqual({ '400 already exists: project "first-name"': 1 })
  await admin.call('DELETE', '/v1/vpc-subnets/default?project=first-name&vpc=default')
  await admin.call('DELETE', '/v1/vpcs/default?project=first-name')
  expect((await me.call('DELETE', '/v1/projects/first-name')).status).toBe(204)
  expect((await rename('first-name')).status).toBe(200)
})

test('of many updates from the same state, one wins', async () => {
  const path = '/v1/projects/playground'
  const etag = (await me.get(path)).headers.get('etag') ?? ''
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      me.call('PUT', path, { description: `by ${index}` }, { 'if-match': etag }),
    ),
  )
  const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b)
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
  const winner = answers.find((answer) => answer.status === 200)
  expect((await me.get(path)).body.description).toBe(winner?.body.description)
})

test('a delete with the ETag from creation succeeds; one with an older ETag does not', async () => {
  const made = await me.post(at('/v1/disks'), newDisk('fleeting'))
  const remove = (etag: string) =>
    me.call('DELETE', at('/v1/disks/fleeting'), undefined, { 'if-match': etag })
  expect((await remove('"1"')).status).toBe(412)
  expect((await remove(made.headers.get('etag') ?? '')).status).toBe(204)
  expect((await remove('"1"')).status).toBe(404)
})

test('of fifty creates of the same instance, one wins, and the others leave nothing behind', async () => {
  const [before, ips] = [await used(), await addresses()]
  const body = machine('contested', {
    start: true,
    external_ips: [{ type: 'ephemeral' }],
    boot_disk: { type: 'create', ...newDisk('contested-boot') },
  })
  const answers = await Promise.all(Array.from({ length: 50 }, () => me.post(at('/v1/instances'), body)))
  expect(outcomes(answers)).toEqual({ 201: 1, '400 already exists: instance "contested"': 49 })
  expect(await used()).toEqual({
    cpus: before.cpus + 1,
    memory: before.memory + GiB,
    storage: before.storage + GiB,
  })
  expect(await addresses()).toBe(ips + 2)
  const [usage] = (
    await sql<{
      threads: number
      memory: number
    }>`SELECT sum(threads)::int8 AS threads, sum(memory)::int8 AS memory FROM sled_usage`.execute(bed.db)
  ).rows
  expect(usage).toEqual({ threads: 1, memory: GiB })
})

test('of two attaches of one disk, one wins', async () => {
  await me.post(at('/v1/disks'), newDisk('wanted'))
  await me.post(at('/v1/instances'), machine('left'))
  await me.post(at('/v1/instances'), machine('right'))
  const attach = (name: string) => me.post(at(`/v1/instances/${name}/disks/attach`), { disk: 'wanted' })
  const answers = await Promise.all([attach('left'), attach('right'), attach('left'), attach('right')])
  expect(outcomes(answers)).toEqual({
    202: 2,
    '400 cannot attach disk "wanted": disk is attached to another instance': 2,
  })
})

test('creations in several projects share one quota and one pool, and nothing is given out twice', async () => {
  const projects = ['shared-a', 'shared-b']
  for (const name of projects) await me.post('/v1/projects', { name, description: '' })
  const { storage } = await used()
  const set = (storage: number) => bed.db.updateTable('silo_quotas').set({ storage }).execute()
  await set(storage + 4 * GiB)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      me.post(
        `/v1/instances?project=${projects[index % projects.length]}`,
        machine(`shared-${index}`, {
          external_ips: [{ type: 'ephemeral' }],
          disks: [{ type: 'create', ...newDisk(`shared-${index}`) }],
        }),
      ),
    ),
  )
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    201, 201, 201, 201, 507, 507, 507, 507, 507, 507,
  ])
  expect((await used()).storage).toBe(storage + 4 * GiB)
  const { rows: twice } = await sql`SELECT ip FROM external_ip a WHERE time_deleted IS NULL AND EXISTS (
    SELECT FROM external_ip b WHERE b.id <> a.id AND b.ip_pool_id = a.ip_pool_id AND b.ip = a.ip
      AND b.time_deleted IS NULL AND b.first_port <= a.last_port AND a.first_port <= b.last_port)`.execute(
    bed.db,
  )
  expect(twice).toEqual([])
  await set(1e15)
})

test('a quota is filled exactly and never exceeded under concurrency', async () => {
  const { provisioned } = (await me.get('/v1/utilization')).body
  const silo = (await me.get('/v1/me')).body.silo_id
  const quota = (more: object) =>
    bed.db.updateTable('silo_quotas').set(more).where('silo_id', '=', silo).execute()
  await quota({ storage: provisioned.storage + 3 * GiB })
  const make = (name: string, size = GiB) => me.post(at('/v1/disks'), newDisk(name, size))

  const over = await make('too-much', 4 * GiB)
  expect([over.status, over.body.error_code, over.body.message]).toEqual([
    507,
    'InsufficientCapacity',
    expect.stringMatching(
      /^Insufficient capacity: Storage Limit Exceeded: Not enough storage to complete request\. .+/,
    ),
  ])
  expect(over.body.help).toMatch(
    /^Storage quota exceeded: needs 4 GiB, 3 GiB left\. Delete unused disks and snapshots/,
  )
  expect(over.body.details).toEqual({
    kind: 'storage',
    wanted: 4 * GiB,
    used: provisioned.storage,
    quota: provisioned.storage + 3 * GiB,
  })
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => make(`filling-${index}`)))
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
    201, 201, 201, 507, 507, 507, 507, 507,
  ])
  expect((await used()).storage).toBe(provisioned.storage + 3 * GiB)
  const list = (await me.get(at('/v1/disks'))).body.items
  expect(list.filter((disk: { name: string }) => disk.name.startsWith('filling'))).toHaveLength(3)

  const { cpus, memory } = await used()
  await quota({ cpus: cpus + 2, memory: memory + GiB, storage: 1e15 })
  const start = (name: string, ncpus: number, memory: number) =>
    me.post(at('/v1/instances'), machine(name, { start: true, ncpus, memory }))
  const both = await start('wants-both', 3, 2 * GiB)
  expect([both.status, both.body.message]).toEqual([507, expect.stringContaining('vCPU Limit Exceeded')])
  expect((await start('wants-memory', 1, 2 * GiB)).body.message).toContain('Memory Limit Exceeded')
  expect((await start('fits', 2, GiB)).body.run_state).toBe('starting')
  expect(await used()).toMatchObject({ cpus: cpus + 2, memory: memory + GiB })
  await me.post(at('/v1/instances'), machine('wants-later', { ncpus: 1, memory: GiB }))
  const again = await me.post(at('/v1/instances/wants-later/start'))
  expect([again.status, again.body.message]).toEqual([507, expect.stringContaining('vCPU Limit Exceeded')])
  // Lowering a quota revokes nothing.
  await quota({ cpus: 0, memory: 0, storage: 0 })
  expect((await me.get(at('/v1/instances/fits'))).status).toBe(200)
  expect((await me.post(at('/v1/instances'), machine('stopped-is-free'))).status).toBe(201)
  await quota({ cpus: 256, memory: 2 ** 40, storage: 2e13 })
})

test('a project is deleted empty, or kept with what was created meanwhile', async () => {
  const admin = await bed.signIn('admin')
  for (let round = 0; round < 6; round++) {
    const project = `doomed-${round}`
    await admin.post('/v1/projects', { name: project, description: '' })
    await admin.call('DELETE', `/v1/vpc-subnets/default?project=${project}&vpc=default`)
    await admin.call('DELETE', `/v1/vpcs/default?project=${project}`)
    const racers = [
      () => admin.call('DELETE', `/v1/projects/${project}`),
      () => admin.post(`/v1/disks?project=${project}`, newDisk('late')),
    ]
    if (round % 2) racers.reverse()
    const answers = await Promise.all(racers.map((race) => race()))
    const [removed, made] = round % 2 ? answers.reverse() : answers
    const gone = removed?.status === 204
    expect([removed?.status, removed?.body?.message, made?.status]).toEqual(
      gone ? [204, undefined, 404] : [400, 'project to be deleted contains a disk: late', 201],
    )
    expect((await admin.get(`/v1/projects/${project}`)).status).toBe(gone ? 404 : 200)
  }
  const { rows } = await sql`SELECT d.name FROM disk d JOIN project p ON p.id = d.project_id
    WHERE d.time_deleted IS NULL AND p.time_deleted IS NOT NULL`.execute(bed.db)
  expect(rows).toEqual([])
})

test('a delete during a start is refused, and an immediate stop leaves nothing reserved', async () => {
  const before = await used()
  await me.post(at('/v1/instances'), machine('hasty', { start: true }))
  const [removed, stopped] = await Promise.all([
    me.call('DELETE', at('/v1/instances/hasty')),
    me.post(at('/v1/instances/hasty/stop')),
  ])
  expect(removed.body.message).toBe(
    'cannot delete instance: instance is running or has not yet fully stopped',
  )
  expect(stopped.status).toBe(202)
  bed.pass(2000)
  await eventually(
    () => me.get(at('/v1/instances/hasty')),
    (answer) => answer.body.run_state === 'stopped',
  )
  expect((await me.call('DELETE', at('/v1/instances/hasty'))).status).toBe(204)
  expect(await used()).toEqual(before)
})

test('concurrent starts, stops and deletes end in a consistent state', async () => {
  await me.post(at('/v1/instances'), machine('tossed'))
  const before = await used()
  const verbs = ['start', 'stop', 'start', 'reboot', 'stop', 'start', 'stop', 'reboot']
  const answers = await Promise.all(verbs.map((verb) => me.post(at(`/v1/instances/tossed/${verb}`))))
  for (const { status } of answers) expect([202, 400, 409]).toContain(status)
  await me.post(at('/v1/instances/tossed/stop'))
  bed.pass(10_000)
  await eventually(
    () => me.get(at('/v1/instances/tossed')),
    (answer) => answer.body.run_state === 'stopped',
  )
  expect(await used()).toEqual(before)
  const answersToDelete = await Promise.all(
    Array.from({ length: 4 }, () => me.call('DELETE', at('/v1/instances/tossed'))),
  )
  expect(answersToDelete.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([204, 404, 404, 404])
})

import type { ActivityEntry } from '@gantry/api/history/activity'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'

const GiB = 2 ** 30
const at = 'project=atlas'

let bed: TestBed
let member: Caller
let viewer: Caller
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  operator = await bed.signIn('admin')
  await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const list = async (query: string, by = viewer, path = '/ext/v1/activity'): Promise<ActivityEntry[]> => {
  const { status, body } = await by.get(`${path}?${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.items
}
const newest = async (query: string, by?: Caller, path?: string): Promise<ActivityEntry> => {
  const [entry] = await list(`limit=1&${query}`, by, path)
  if (!entry) throw new Error(`no entry for ${query}`)
  return entry
}
/** `stopped instance web`, and what it did besides. */
const told = ({ changes }: ActivityEntry): string[] =>
  changes.map(({ action, kind, name, other }) =>
    [action, kind, name, ...(other ? [`of ${other.name}`] : [])].join(' '),
  )
const machine = (name: string, more: object = {}) =>
  made(member, `/v1/instances?${at}`, {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start: false,
    network_interfaces: { type: 'default' },
    ...more,
  })
const blank = { type: 'blank', block_size: 512 }
const disk = (name: string) =>
  made(member, `/v1/disks?${at}`, { name, description: '', size: GiB, disk_source: blank })
const act = (name: string, action: string, body?: object) =>
  member.post(`/v1/instances/${name}/${action}?${at}`, body)
const reaches = (name: string, state: string) =>
  eventually(
    async () => (await member.get(`/v1/instances/${name}?${at}`)).body,
    (instance) => instance.run_state === state,
  )

test('an entry says who did what to which object, with what changed beside it', async () => {
  const id = await machine('web', {
    disks: [{ type: 'create', name: 'web-root', description: '', size: GiB, disk_source: blank }],
  })
  const { id: silo_user_id } = (await member.get('/v1/me')).body
  const entry = await newest(at)
  expect(entry).toMatchObject({
    outcome: 'done',
    operation: 'instance_create',
    actor: { kind: 'user', id: silo_user_id, name: 'member', auth_method: 'session_cookie' },
    project: { name: 'atlas' },
    silo: { name: 'demo' },
    reason: null,
    took_ms: expect.any(Number),
  })
  expect(told(entry)[0]).toBe('created instance web')
  expect(told(entry)).toContain('created disk web-root')
  expect(told(entry).some((words) => words.startsWith('created instance-network-interface'))).toBe(true)
  expect(entry.changes[0]).toMatchObject({ id, differences: [] })
  expect(entry.request_id).toMatch(/./)
  // The project's own creation is told where its contents are.
  const [first] = await list(`${at}&sort_by=time_and_id_ascending&limit=1`)
  expect(first && told(first)[0]).toBe('created project atlas')
})

test('an edit shows its fields before and after, by the names of what they refer to', async () => {
  await machine('resized')
  await member.call('PUT', `/v1/instances/resized?${at}`, {
    ncpus: 2,
    memory: 2 * GiB,
    boot_disk: null,
    auto_restart_policy: 'never',
    hostname: 'resized',
  })
  const [change] = (await newest(at)).changes
  expect(change).toMatchObject({ action: 'resized', kind: 'instance', name: 'resized' })
  expect(change?.differences).toEqual(
    expect.arrayContaining([
      { field: 'ncpus', before: 1, after: 2 },
      { field: 'memory', before: GiB, after: 2 * GiB },
      { field: 'auto_restart_policy', before: null, after: 'never' },
    ]),
  )
  expect(change?.differences.map(({ field }) => field)).not.toContain('generation')
})

test('attaching and detaching name both, and both have it in their account', async () => {
  const instance = await machine('holder')
  const id = await disk('data')
  await act('holder', 'disks/attach', { disk: 'data' })
  const attached = await newest(`${at}&object=${id}`)
  expect(told(attached)).toEqual(['attached disk data of holder'])
  expect(await list(`${at}&object=${instance}&limit=1`)).toEqual([attached])
  await act('holder', 'disks/detach', { disk: 'data' })
  expect(told(await newest(`${at}&object=${instance}`))).toEqual(['detached disk data of holder'])
})

test('work that a request begins is under way until its object rests, and then has its length', async () => {
  const id = await machine('worker')
  await act('worker', 'start')
  await reaches('worker', 'running')
  const [started, created, ...more] = await list(`${at}&object=${id}`)
  expect(started).toMatchObject({ operation: 'instance_start', outcome: 'done', actor: { name: 'member' } })
  expect(started && told(started)).toEqual(['started instance worker'])
  expect(started?.took_ms).toBeGreaterThan(0)
  // One entry for a request, whatever the platform did for it.
  expect(created && told(created)[0]).toBe('created instance worker')
  expect(more).toEqual([])
  await act('worker', 'stop')
  await reaches('worker', 'stopped')
  expect(await newest(`${at}&object=${id}`)).toMatchObject({ operation: 'instance_stop', outcome: 'done' })
})

test('what the platform does has its reason', async () => {
  const id = await machine('crashing', { start: true, auto_restart_policy: 'never' })
  await reaches('crashing', 'running')
  await operator.post('/ext/v1/faults', { kind: 'vm_crash', instance_id: id })
  await reaches('crashing', 'failed')
  const failed = await newest(`${at}&object=${id}`)
  expect(failed).toMatchObject({ actor: { kind: 'platform', id: null, name: null }, request_id: null })
  expect(told(failed)).toEqual(['failed instance crashing'])
  expect(failed.reason).toMatch(/./)
  expect(await newest(`${at}&object=${id}&by_platform=true`)).toEqual(failed)
})

test('a deleted object is found by its name and id, with who deleted it', async () => {
  const id = await machine('gone')
  await member.call('DELETE', `/v1/instances/gone?${at}`)
  const entry = await newest(`${at}&search=gone`)
  expect(told(entry)[0]).toBe('deleted instance gone')
  expect(entry.actor.name).toBe('member')
  expect(await newest(`${at}&search=${id}`)).toEqual(entry)
  expect(await newest(`${at}&search=${entry.request_id}`)).toEqual(entry)
  expect(await newest(`${at}&action=deleted&kind=instance`)).toEqual(entry)
  expect(await list(`${at}&search=never-was`)).toEqual([])
  expect(await list(`${at}&search=${crypto.randomUUID()}`)).toEqual([])
})

test('a refused request names its object and why, also of one that it would have made', async () => {
  const id = await machine('kept', { start: true })
  await reaches('kept', 'running')
  const refused = await member.call('DELETE', `/v1/instances/kept?${at}`)
  expect(refused.status).toBe(400)
  const entry = await newest(`${at}&object=${id}`)
  expect(entry).toMatchObject({
    outcome: 'refused',
    operation: 'instance_delete',
    reason: refused.body.message,
    actor: { name: 'member' },
  })
  expect(told(entry)).toEqual(['deleted instance kept'])
  await viewer.post(`/v1/disks?${at}`, { name: 'none', description: '', size: GiB, disk_source: blank })
  const [forbidden] = await list(`${at}&outcome=refused&limit=1`)
  expect(forbidden).toMatchObject({ actor: { name: 'viewer' }, project: { name: 'atlas' } })
  expect(forbidden && told(forbidden)).toEqual(['created disk  of atlas'])
  expect((await list(`${at}&outcome=changed`)).every(({ outcome }) => outcome !== 'refused')).toBe(true)
})

test('pages are complete, in order, and keep their filters', async () => {
  const all = await list(`${at}&limit=100`)
  const times = all.map(({ time }) => time)
  expect(times).toEqual(times.toSorted((one, other) => other.localeCompare(one)))
  const read: ActivityEntry[] = []
  let next = `${at}&limit=3`
  for (let pages = 0; pages < 100; pages++) {
    const { body } = await viewer.get(`/ext/v1/activity?${next}`)
    if (body.items.length === 0) break
    read.push(...body.items)
    next = `limit=3&page_token=${encodeURIComponent(body.next_page)}`
  }
  expect(read.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  const { time = '' } = all[3] ?? {}
  const since = await list(`${at}&start_time=${encodeURIComponent(time)}`)
  expect(since.length).toBeLessThanOrEqual(4)
  expect((await viewer.get(`/ext/v1/activity?${at}&action=exploded`)).status).toBe(400)
  expect((await viewer.get(`/ext/v1/activity?${at}&page_token=nonsense`)).status).toBe(400)
})

test('nobody sees through history what they may not see now', async () => {
  await made(member, '/v1/projects', { name: 'secret', description: '' })
  const guest = await bed.addUser('guest', {})
  const { id } = (await member.get('/v1/projects/secret')).body
  expect((await guest.get('/ext/v1/activity?project=secret')).status).toBe(404)
  expect((await guest.get('/ext/v1/activity')).status).toBe(403)
  await member.call('PUT', '/v1/projects/secret/policy', {
    role_assignments: [{ identity_type: 'silo_user', identity_id: guest.id, role_name: 'collaborator' }],
  })
  await made(guest, '/v1/disks?project=secret', {
    name: 'theirs',
    description: '',
    size: GiB,
    disk_source: blank,
  })
  expect((await list('mine=true', guest)).flatMap(told)).toContain('created disk theirs')
  await member.call('PUT', '/v1/projects/secret/policy', { role_assignments: [] })
  expect((await guest.get('/ext/v1/activity?project=secret')).status).toBe(404)
  expect((await list('mine=true', guest)).flatMap(told)).not.toContain('created disk theirs')
  expect(await list('mine=true&search=theirs', guest)).toEqual([])
  // Others of the silo see it, and those of other silos nothing.
  expect(told(await newest(`project=${id}&search=theirs`))).toEqual(['created disk theirs'])
  const stranger = await bed.addUser('stranger', {
    siloId: await bed.addSilo('strangers'),
    roles: [{ at: 'silo', role: 'admin' }],
  })
  expect((await stranger.get(`/ext/v1/activity?project=${id}`)).status).toBe(404)
  expect((await list('limit=100', stranger)).flatMap(told).join()).not.toMatch(/atlas|theirs/)
})

test('a silo has the account of all its projects, and the fleet that of its own', async () => {
  const ofSilo = await list('limit=100')
  expect(new Set(ofSilo.map(({ project }) => project?.name))).toContain('secret')
  expect(ofSilo.every(({ silo }) => silo?.name === 'demo')).toBe(true)
  await made(operator, '/v1/system/ip-pools', { name: 'bay', description: '' })
  const system = '/ext/v1/system/activity'
  expect(told(await newest('', operator, system))).toEqual(['created ip-pool bay'])
  expect((await viewer.get(system)).status).toBe(403)
  expect((await list('limit=100')).flatMap(told)).not.toContain('created ip-pool bay')
  expect((await list('by=member&limit=100')).every(({ actor }) => actor.name === 'member')).toBe(true)
  expect(await list('by=nobody-of-that-name')).toEqual([])
})

test('which operator of another silo changed something is not told', async () => {
  const other = await bed.addUser('on-call', {
    siloId: await bed.addSilo('on-call'),
    roles: [{ at: 'fleet', role: 'admin' }],
  })
  await other.call('PUT', '/v1/system/silos/demo/quotas', { cpus: 99 })
  const entry = await newest('')
  expect(entry).toMatchObject({ actor: { kind: 'user', id: null, name: null, user_agent: null } })
  expect(entry.changes).toMatchObject([{ kind: 'silo-quotas', differences: [{ field: 'cpus', after: 99 }] }])
})

test('a refusal about an object of another silo is in no account', async () => {
  const watcher = await bed.addUser('watcher', {
    siloId: await bed.addSilo('watchers'),
    roles: [
      { at: 'fleet', role: 'viewer' },
      { at: 'silo', role: 'admin' },
    ],
  })
  const { id } = (await operator.get('/v1/system/silos/demo')).body
  expect((await watcher.call('DELETE', '/v1/system/silos/demo')).status).toBe(403)
  for (const [by, path] of [
    [watcher, '/ext/v1/activity'],
    [watcher, '/ext/v1/system/activity'],
    [viewer, '/ext/v1/activity'],
  ] as const)
    expect(
      (await list('outcome=refused&limit=100', by, path)).flatMap(({ changes }) => changes),
    ).not.toContainEqual(expect.objectContaining({ id }))
})

test('credentials of others are not in the account of those who may not see them', async () => {
  await member.post('/v1/me/ssh-keys', {
    name: 'laptop',
    description: '',
    public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me',
  })
  expect(told(await newest('mine=true', member))).toEqual(['created ssh-key laptop'])
  const plain = await bed.addUser('plain', { roles: [{ at: 'silo', role: 'viewer' }] })
  const page = await list('limit=100', plain)
  expect(page.flatMap(told).some((words) => words.includes('console-session'))).toBe(false)
})

test('the number of changes leaves out what the reader may not see', async () => {
  await machine('counted')
  const entry = await newest(at)
  // Operators alone see probes; the account of the project has what came with an entry of it.
  const hidden = (count: number) =>
    sql`INSERT INTO change (id, transaction_id, position, time, silo_id, project_id, kind, op, object_id, name, generation,
        actor, operation, entry_id, entry_place)
      SELECT gen_random_uuid(), transaction_id, 900 + n, time, silo_id, project_id, 'probe', 'create', gen_random_uuid(),
        'watching-' || n, 1, actor, operation, entry_id, 900 + n FROM change, generate_series(1, ${count}::int) n
      WHERE id = ${entry.id}`.execute(bed.db)
  await hidden(1)
  const after = await newest(at)
  expect(after.change_count).toBe(entry.change_count)
  expect(JSON.stringify(after)).not.toContain('watching')
  await hidden(100)
  expect((await newest(at)).change_count).toBe(entry.change_count)
  expect((await newest(at, operator)).change_count).toBeGreaterThanOrEqual(entry.change_count)
  await sql`DELETE FROM change WHERE kind = 'probe'`.execute(bed.db)
})

test('a person whom the reader may not see filters nothing', async () => {
  const siloId = await bed.addSilo('night-shift')
  const night = await bed.addUser('night-operator', { siloId, roles: [{ at: 'fleet', role: 'admin' }] })
  await night.call('PUT', '/v1/system/silos/demo/quotas', { memory: 77 * GiB })
  expect(await list(`by=${night.id}`)).toEqual([])
  expect(await list('by=night-operator')).toEqual([])
  expect((await list(`by=${night.id}`, operator)).length).toBe(1)
})

import type { ActivityEntry, ActivityRevertPlan } from '@gantry/api/history/activity'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
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
  await made(member, '/v1/projects', { name: 'atlas', description: 'maps' })
})
afterAll(() => bed.stop())

const newest = async (query = at, by = viewer): Promise<ActivityEntry> => {
  const { items } = (await by.get(`/ext/v1/activity?${query}&limit=1`)).body
  return items[0]
}
const pathOf = ({ id }: ActivityEntry) => `/ext/v1/activity/${id}/revert`
const planOf = async (entry: ActivityEntry, by = member): Promise<ActivityRevertPlan> =>
  (await by.get(pathOf(entry))).body
const revert = async (entry: ActivityEntry, keep: string[] = [], by = member) =>
  by.post(pathOf(entry), { hash: (await planOf(entry, by)).hash, keep })
const machine = (name: string) =>
  made(member, `/v1/instances?${at}`, {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start: false,
    network_interfaces: { type: 'none' },
  })
const view = async (path: string) => (await member.get(path)).body

test('an edit goes back to what it was, and is told as a change of its own', async () => {
  await machine('web')
  const body = { ncpus: 2, memory: 2 * GiB, boot_disk: null, auto_restart_policy: 'never' }
  await member.call('PUT', `/v1/instances/web?${at}`, body)
  const resized = await newest()
  expect(resized.is_revertible).toBe(true)
  const plan = await planOf(resized)
  expect(plan).toMatchObject({ why_not: null, lost: [], steps: [{ kind: 'instance', name: 'web' }] })
  expect(plan.steps[0]?.edits).toContainEqual({
    field: 'ncpus',
    label: null,
    made: 2,
    now: 2,
    back: 1,
    is_changed_since: false,
  })
  expect((await revert(resized)).status).toBe(204)
  expect(await view(`/v1/instances/web?${at}`)).toMatchObject({
    ncpus: 1,
    memory: GiB,
    auto_restart_policy: null,
  })
  const told = await newest()
  expect(told).toMatchObject({ operation: 'activity_revert', actor: { name: 'member' } })
  expect(told.changes[0]).toMatchObject({ action: 'resized', name: 'web' })
  // The audit log has one record of it.
  const log = '/ext/v1/system/audit-log?start_time=2020-01-01T00:00:00Z&operation=activity_revert'
  expect((await operator.get(log)).body.items).toMatchObject([
    { result: { kind: 'success' }, change_count: 1 },
  ])
  // What was reverted is as it was before, and a revert can be reverted.
  expect((await planOf(resized)).why_not).toBe('It is already as it was before.')
  expect((await revert(resized)).status).toBe(400)
  expect((await revert(told)).status).toBe(204)
  expect(await view(`/v1/instances/web?${at}`)).toMatchObject({ ncpus: 2 })
})

test('edits of a template and of a schedule go back, and user data that the account does not keep stays', async () => {
  const templates = `/ext/v1/instance-templates`
  const settings = (ncpus: number, user_data: string) => ({
    settings: { hardware: { ncpus, memory: GiB }, start: false, user_data: btoa(user_data) },
  })
  await made(member, `${templates}?${at}`, {
    name: 'small',
    description: '',
    fixed: [],
    ...settings(1, 'old'),
  })
  const template = `${templates}/small?${at}`
  const edit = { ...settings(4, 'new'), fixed: ['hardware'] }
  expect((await member.call('PUT', template, edit)).status).toBe(200)
  const edited = await newest()
  expect(edited.is_revertible).toBe(true)
  expect((await planOf(edited)).steps[0]?.edits.map(({ field }) => field).toSorted()).toEqual([
    'fixed',
    'settings',
  ])
  expect((await revert(edited)).status).toBe(204)
  expect(await view(template)).toMatchObject({ fixed: [], ...settings(1, 'new') })

  const schedules = '/ext/v1/schedules'
  const timing = { type: 'daily', at: '03:00' }
  const keep = { hourly: 0, daily: 7, weekly: 0, monthly: 0 }
  await made(member, `${schedules}?${at}`, {
    name: 'nightly',
    description: '',
    action: 'snapshot_disk',
    filter: '',
    timezone: 'UTC',
    timing,
  })
  const schedule = `${schedules}/nightly?${at}`
  const changed = await member.call('PUT', schedule, { filter: 'name:web*', timezone: 'Europe/Oslo', keep })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  const rescheduled = await newest()
  expect((await revert(rescheduled)).status).toBe(204)
  expect(await view(schedule)).toMatchObject({ filter: '', timezone: 'UTC', keep: null })
})

test('the answer to an edit names its entry, and that to anything else does not', async () => {
  const edited = await member.call('PUT', '/v1/projects/atlas', { description: 'charts' })
  expect(edited.headers.get('x-activity-entry')).toBe((await newest()).id)
  const created = await member.post('/v1/projects', { name: 'fresh', description: '' })
  expect(created.headers.get('x-activity-entry')).toBeNull()
  expect((await member.get('/v1/projects/atlas')).headers.get('x-activity-entry')).toBeNull()
  const { id } = (await member.get('/v1/projects/fresh')).body
  const protect = { no_delete: true, no_stop: false, reason: 'kept' }
  const kept = await member.call('PUT', `/ext/v1/protections/${id}?kind=project`, protect)
  expect([kept.status, kept.headers.get('x-activity-entry')]).toEqual([200, null])
  const refused = await viewer.call('PUT', '/v1/projects/atlas', { description: 'mine' })
  expect(refused.headers.get('x-activity-entry')).toBeNull()
})

test('what others changed since is shown, and stays if it is kept', async () => {
  await made(member, '/v1/projects', { name: 'shared', description: 'one' })
  await member.call('PUT', '/v1/projects/shared', { name: 'renamed', description: 'two' })
  const edit = await newest('project=renamed')
  await member.call('PUT', '/v1/projects/renamed', { description: 'three' })
  const { hash, steps } = await planOf(edit)
  expect(steps[0]?.edits).toMatchObject([
    { field: 'name', made: 'renamed', now: 'renamed', back: 'shared', is_changed_since: false },
    { field: 'description', made: 'two', now: 'three', back: 'one', is_changed_since: true },
  ])
  // A plan of another state is refused, and nothing changes.
  await member.call('PUT', '/v1/projects/renamed', { description: 'four' })
  const stale = await member.post(pathOf(edit), { hash, keep: [] })
  expect(stale.status).toBe(409)
  expect(await view('/v1/projects/renamed')).toMatchObject({ description: 'four' })
  expect((await revert(edit, ['description'])).status).toBe(204)
  expect(await view('/v1/projects/shared')).toMatchObject({ description: 'four' })
})

test('a name that was taken meanwhile, and an object that is gone, are said', async () => {
  await made(member, '/v1/projects', { name: 'first', description: '' })
  await member.call('PUT', '/v1/projects/first', { name: 'second' })
  const renamed = await newest('project=second')
  await made(member, '/v1/projects', { name: 'first', description: '' })
  const taken = await revert(renamed)
  expect(taken).toMatchObject({ status: 400, body: { error_code: 'ObjectAlreadyExists' } })
  const { id } = await view('/v1/projects/second')
  await member.call('DELETE', '/v1/vpc-subnets/default?project=second&vpc=default')
  await member.call('DELETE', '/v1/vpcs/default?project=second')
  expect((await member.call('DELETE', '/v1/projects/second')).status).toBe(204)
  expect((await view(`/ext/v1/activity/${renamed.id}/revert`)).why_not).toBe('second was deleted since.')
  expect((await revert(renamed)).status).toBe(400)
  expect((await member.get(`/v1/projects/${id}`)).status).toBe(404)
})

test('firewall rules go back one by one, and those of others stay', async () => {
  const rule = (name: string, priority: number) => ({
    name,
    description: '',
    status: 'enabled',
    direction: 'inbound',
    targets: [{ type: 'vpc', value: 'default' }],
    filters: { hosts: null, ports: ['22'], protocols: null },
    action: 'allow',
    priority,
  })
  const rules = `/v1/vpc-firewall-rules?${at}&vpc=default`
  const put = (...list: object[]) => member.call('PUT', rules, { rules: list })
  await put(rule('ssh', 10), rule('old', 20))
  await put(rule('ssh', 11), rule('new', 30))
  const edit = await newest()
  // A replaced rule is an edit, not a deletion and a creation.
  expect(edit.changes.map(({ action, name }) => `${action} ${name}`).toSorted()).toEqual([
    'created new',
    'deleted old',
    'edited ssh',
  ])
  expect(edit.changes.find(({ name }) => name === 'ssh')?.differences).toEqual([
    { field: 'priority', before: 10, after: 11 },
  ])
  await put(rule('ssh', 11), rule('new', 30), rule('other', 40))
  expect((await revert(edit)).status).toBe(204)
  const now = (await view(rules)).rules.map(({ name, priority }: { name: string; priority: number }) => [
    name,
    priority,
  ])
  expect(now).toEqual([
    ['old', 20],
    ['other', 40],
    ['ssh', 10],
  ])
})

test('an edit of more rules than an entry names goes back whole, and within the bounds of a list', async () => {
  const rule = (name: string, priority: number) => ({
    name,
    description: '',
    status: 'enabled',
    direction: 'inbound',
    targets: [{ type: 'vpc', value: 'default' }],
    filters: { hosts: null, ports: null, protocols: null },
    action: 'allow',
    priority,
  })
  const rules = `/v1/vpc-firewall-rules?${at}&vpc=default`
  const many = (prefix: string, count: number, priority: number) =>
    Array.from({ length: count }, (_, index) => rule(`${prefix}-${index}`, priority))
  const put = async (list: object[]) =>
    expect((await member.call('PUT', rules, { rules: list })).status).toBe(200)
  await put(many('a', 40, 1))
  await put(many('a', 40, 2))
  const edit = await newest()
  // None of those that it names is half of a replacement.
  expect(edit.change_count).toBe(40)
  expect(new Set(edit.changes.map(({ action }) => action))).toEqual(new Set(['edited']))
  expect((await planOf(edit)).steps[0]?.edits).toHaveLength(40)
  expect((await revert(edit)).status).toBe(204)
  const priorities = (await view(rules)).rules.map(({ priority }: { priority: number }) => priority)
  expect(priorities).toEqual(Array.from({ length: 40 }, () => 1))

  // What was deleted no longer fits beside what is there now.
  await put(many('b', 1024, 3))
  const filled = await newest()
  await put([...many('b', 1000, 3)])
  const emptied = await newest()
  await put([...many('b', 1000, 3), ...many('c', 24, 3)])
  const tooMany = await revert(emptied)
  expect(tooMany).toMatchObject({ status: 400, body: { message: expect.stringMatching(/does not fit/) } })
  expect((await view(rules)).rules).toHaveLength(1024)
  expect(filled.change_count).toBe(1064)
  await put([])
})

test('roles go back by their holder, and only for those who may give them', async () => {
  const guest = await bed.addUser('guest', {})
  const path = '/v1/projects/atlas/policy'
  const role = (role_name: string, identity_id = guest.id) => ({
    identity_type: 'silo_user',
    identity_id,
    role_name,
  })
  const { role_assignments } = await view(path)
  await member.call('PUT', path, { role_assignments: [...role_assignments, role('viewer')] })
  const given = await newest()
  expect((await planOf(given, viewer)).why_not).toMatch(/^Reverting it requires the role project admin/)
  expect((await revert(given, [], viewer)).status).toBe(400)
  expect((await planOf(given)).steps[0]?.edits).toMatchObject([
    { field: guest.id, made: 'viewer', back: null },
  ])
  expect((await revert(given)).status).toBe(204)
  expect((await view(path)).role_assignments).toEqual(role_assignments)
})

describe('an edit by an operator goes back', () => {
  const systemNewest = async (): Promise<ActivityEntry> => {
    const { items } = (await operator.get('/ext/v1/system/activity?limit=1')).body
    return items[0]
  }
  const edits: readonly [string, string, object, (body: Answer['body']) => unknown, unknown, string?][] = [
    ['a pool', '/v1/system/ip-pools/edited', { description: 'other' }, (pool) => pool.description, 'first'],
    [
      'a receiver',
      '/v1/webhook-receivers/edited',
      { endpoint: 'https://other.example/' },
      ({ kind }) => kind.endpoint,
      'https://first.example/',
      '/v1/alert-receivers/edited',
    ],
    [
      'the networking settings',
      '/v1/system/networking/settings',
      { external_jumbo_frames_opt_in_enabled: true },
      (set) => set.external_jumbo_frames_opt_in_enabled,
      false,
    ],
    ['inbound ICMP', '/v1/system/networking/inbound-icmp', { enabled: false }, (icmp) => icmp.enabled, true],
  ]
  beforeAll(async () => {
    await made(operator, '/v1/system/ip-pools', { name: 'edited', description: 'first' })
    await made(operator, '/v1/webhook-receivers', {
      name: 'edited',
      description: '',
      endpoint: 'https://first.example/',
      secrets: ['of this test'],
      subscriptions: [],
    })
  })

  test.each(edits)('of %s', async (_, path, body, field, was, read = path) => {
    expect((await operator.call('PUT', path, body)).status).toBeLessThan(300)
    const entry = await systemNewest()
    expect(entry.is_revertible).toBe(true)
    expect(await revert(entry, [], operator)).toMatchObject({ status: 204 })
    expect(field((await operator.get(read)).body)).toBe(was)
    expect((await operator.get(pathOf(entry))).body.why_not).toBe('It is already as it was before.')
  })

  test('of which sleds get new instances', async () => {
    const [sled] = (await operator.get('/v1/system/hardware/sleds')).body.items
    const path = `/v1/system/hardware/sleds/${sled.id}`
    await operator.call('PUT', `${path}/provision-policy`, { state: 'non_provisionable' })
    expect(await revert(await systemNewest(), [], operator)).toMatchObject({ status: 204 })
    expect((await operator.get(path)).body.policy.provision_policy).toBe('provisionable')
  })

  test.each([
    ['tokens', '/v1/auth-settings', 'device_token_max_ttl_seconds', null, 3600],
    ['the recycle bin', '/ext/v1/recycle-bin-settings', 'hours', 24, 48],
  ])('of the settings of %s, in its own silo', async (_, path, field, was, is) => {
    await operator.call('PUT', path, { [field]: is })
    const entry = await newest('limit=1', operator)
    expect(await revert(entry, [], operator)).toMatchObject({ status: 204 })
    expect((await operator.get(path)).body[field]).toBe(was)
  })
})

test('what was attached is detached, once, by two at a time', async () => {
  await machine('holder')
  const disk_source = { type: 'blank', block_size: 512 }
  await made(member, `/v1/disks?${at}`, { name: 'data', description: '', size: GiB, disk_source })
  await member.post(`/v1/instances/holder/disks/attach?${at}`, { disk: 'data' })
  const attached = await newest()
  const { hash, steps } = await planOf(attached)
  expect(steps).toMatchObject([{ action: 'detached', name: 'data', other: { name: 'holder' } }])
  const both = await Promise.all([1, 2].map(() => member.post(pathOf(attached), { hash, keep: [] })))
  expect(both.map(({ status }) => status)).toContain(204)
  expect(both.filter(({ status }) => status >= 500)).toEqual([])
  expect((await view(`/v1/disks/data?${at}`)).state).toEqual({ state: 'detached' })
  const detached = await newest(`${at}&kind=disk&action=detached`)
  expect((await revert(detached)).status).toBe(204)
  expect((await view(`/v1/disks/data?${at}`)).state.state).toBe('attached')
})

test('what is created, deleted or the platform did is not reverted, and strangers learn nothing', async () => {
  const created = await newest(`${at}&action=created&kind=instance`)
  expect(created.is_revertible).toBe(false)
  expect(await planOf(created)).toMatchObject({ steps: [], why_not: 'This cannot be reverted.' })
  expect((await revert(created)).status).toBe(400)
  const stranger = await bed.addUser('stranger', {
    siloId: await bed.addSilo('strangers'),
    roles: [{ at: 'silo', role: 'admin' }],
  })
  expect((await stranger.get(pathOf(created))).status).toBe(404)
  expect((await stranger.post(pathOf(created), { hash: 'a', keep: [] })).status).toBe(404)
  expect((await member.post(pathOf(created), { hash: 'a'.repeat(65), keep: [] })).status).toBe(400)
})

/** The largest edit that is allowed: a full list of rules, each replaced by another one. */
async function largestEdit(name: string): Promise<ActivityEntry> {
  await made(member, '/v1/vpcs?project=atlas', { name, description: '', dns_name: name })
  for (const prefix of ['was', 'is']) {
    const rules = Array.from({ length: 1024 }, (_, index) => ({
      name: `${prefix}-${index}`,
      description: '',
      status: 'enabled',
      direction: 'inbound',
      targets: [{ type: 'vpc', value: name }],
      filters: { hosts: null, ports: null, protocols: null },
      action: 'allow',
      priority: 1,
    }))
    const path = `/v1/vpc-firewall-rules?${at}&vpc=${name}`
    expect((await member.call('PUT', path, { rules })).status).toBe(200)
  }
  return newest()
}
const rulesOf = async (vpc: string): Promise<string[]> =>
  (await view(`/v1/vpc-firewall-rules?${at}&vpc=${vpc}`)).rules.map(({ name }: { name: string }) => name)

test('sixteen at once take the largest edit back once', async () => {
  const edit = await largestEdit('large')
  const { hash } = await planOf(edit)
  const all = await Promise.all(
    Array.from({ length: 16 }, () => member.post(pathOf(edit), { hash, keep: [] })),
  )
  const statuses = all.map(({ status }) => status)
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  // Refused because the state is another one by then, or because the server is busy with as much for one person.
  expect(statuses.filter((status) => ![204, 409, 412, 429, 503].includes(status))).toEqual([])
  const now = await rulesOf('large')
  expect(now).toHaveLength(1024)
  expect(now.every((name) => name.startsWith('was-'))).toBe(true)
})

test('who hangs up while a revert is under way leaves all of it or nothing', async () => {
  const edit = await largestEdit('hung-up')
  const { hash } = await planOf(edit)
  for (const statements of [1, 4, 12]) {
    const gone = new AbortController()
    const request = new Request(`http://localhost${pathOf(edit)}`, {
      method: 'POST',
      headers: { cookie: member.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ hash, keep: [] }),
      signal: gone.signal,
    })
    const answered = bed.plane.fetch(request, { address: '127.0.0.1' }).catch(() => undefined)
    for (let turn = 0; turn < statements; turn++) await bed.db.selectFrom('counter').select('name').execute()
    gone.abort(new Error('the client left'))
    await answered
    const prefixes = new Set((await rulesOf('hung-up')).map((name) => name.split('-')[0]))
    expect(prefixes.size).toBe(1)
    expect(await rulesOf('hung-up')).toHaveLength(1024)
  }
})

test('a right that ends between the look and the press reverts nothing', async () => {
  const { id: project } = await view('/v1/projects/atlas')
  const guest = await bed.addUser('passing', { roles: [{ at: { project }, role: 'collaborator' }] })
  const vpc = `/v1/vpcs/default?${at}`
  await member.call('PUT', vpc, { description: 'before the look' })
  const edit = await newest()
  const { hash, why_not } = await planOf(edit, guest)
  expect(why_not).toBeNull()
  const path = '/v1/projects/atlas/policy'
  const { role_assignments } = await view(path)
  const others = role_assignments.filter(
    ({ identity_id }: { identity_id: string }) => identity_id !== guest.id,
  )
  const asViewer = { identity_type: 'silo_user', identity_id: guest.id, role_name: 'viewer' }
  await member.call('PUT', path, { role_assignments: [...others, asViewer] })
  bed.pass(2000)
  const refused = await guest.post(pathOf(edit), { hash, keep: [] })
  // What they would be shown now is something else, too.
  expect(refused.status).toBe(409)
  expect((await guest.post(pathOf(edit), { hash: (await planOf(edit, guest)).hash, keep: [] })).status).toBe(
    400,
  )
  await member.call('PUT', path, { role_assignments: others })
  bed.pass(2000)
  expect((await guest.post(pathOf(edit), { hash, keep: [] })).status).toBe(404)
  expect((await view(vpc)).description).toBe('before the look')
})

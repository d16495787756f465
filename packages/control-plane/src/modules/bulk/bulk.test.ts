import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import type { InstanceAction } from '@gantry/api/compute/instance-action'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { raiseRolesEpoch } from '@gantry/control-plane/authz/held-roles'
import { systemCx } from '@gantry/control-plane/context/cx'
import { defaultSettings } from '@gantry/control-plane/settings'
import { testServices } from '@gantry/control-plane/testing/services'
import { instanceAction } from './job.ts'
import { forgetOldActions } from './retention.ts'
import {
  type Answer,
  type Caller,
  eventually,
  said,
  type TestBed,
  testControlPlane,
} from '@gantry/control-plane/testing/control-plane'

const GiB = 1024 ** 3
const day = 24 * 3600 * 1000
let bed: TestBed
let me: Caller & { id: string }
let project: string
beforeAll(async () => {
  bed = await testControlPlane()
  const member = await bed.signIn('member')
  const { id } = (await member.get('/v1/me')).body
  me = { ...member, id }
  project = (await me.get('/v1/projects/playground')).body.id
})
afterAll(() => bed.stop())

const at = (path: string): string => `/v1/${path}?project=playground`
const url = '/ext/v1/instance-actions'
interface Recorded {
  details: { instance_id: string; name: string } | null
  result: { http_status_code: number }
  changes: { kind: string; name: string | null }[]
}
let count = 0
async function create(howMany: number, more: object = {}): Promise<string[]> {
  const names = Array.from({ length: howMany }, () => `bulk-${++count}`)
  for (const name of names) {
    const machine = { name, description: '', ncpus: 1, memory: GiB, hostname: name, start: false, ...more }
    const made = await me.post(at('instances'), machine)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
  }
  return names
}
const ask = (action: string, instances: readonly string[], who: Caller = me) =>
  who.post(`${url}?project=playground`, { action, instances })
const finished = async (id: string, who: Caller = me): Promise<InstanceAction> =>
  (
    await eventually(
      () => {
        bed.pass(500)
        return who.get(`${url}/${id}`)
      },
      ({ body }) => body.state === 'done',
      20_000,
    )
  ).body
const results = ({ items }: InstanceAction): string[] =>
  items.map(({ instance, state, error }) => `${instance.name ?? instance.id} ${error?.message ?? state}`)
const view = async (name: string) => (await me.get(at(`instances/${name}`))).body
async function runs(names: readonly string[]): Promise<void> {
  const { items } = await finished((await ask('start', names)).body.id)
  expect(items.map(({ state }) => state)).toEqual(names.map(() => 'done'))
  for (const name of names) expect((await view(name)).run_state).toBe('running')
}
/** The request of an action, or all of its single calls. */
const requestOf = ({ headers }: Answer): string => headers.get('x-request-id') ?? ''
const callsOf = (asked: Answer): string => `${requestOf(asked)}/%`
const auditOf = (asked: Answer) =>
  bed.db
    .selectFrom('audit')
    .selectAll()
    .where('request_id', 'like', `${requestOf(asked)}%`)
    .orderBy('request_id')
    .execute()

test('each instance is processed separately, and failures give a reason', async () => {
  const [running = '', stopped = '', other = ''] = await create(3)
  await runs([running])
  const { id } = await view(stopped)
  const nobody = crypto.randomUUID()
  const asked = await ask('delete', [running, stopped, id.toUpperCase(), 'nobody', nobody, other, other])
  expect(asked.status).toBe(202)
  expect(asked.body).toMatchObject({ project_id: project, action: 'delete', state: 'running' })
  // Duplicates run once, and missing names fail at once.
  expect(results(asked.body)).toEqual([
    `${running} pending`,
    `${stopped} pending`,
    'nobody not found: instance with name "nobody"',
    `${nobody} not found: instance with id "${nobody}"`,
    `${other} pending`,
  ])
  const done = await finished(asked.body.id)
  expect(results(done)).toEqual([
    `${running} cannot delete instance: instance is running or has not yet fully stopped`,
    `${stopped} done`,
    'nobody not found: instance with name "nobody"',
    `${nobody} not found: instance with id "${nobody}"`,
    `${other} done`,
  ])
  expect(done.items[0]?.error).toMatchObject({ code: 'InvalidRequest', help: 'Stop it first.' })
  expect(Date.parse(done.time_completed ?? '')).toBeGreaterThanOrEqual(Date.parse(done.time_created))
  expect((await me.get(at(`instances/${stopped}`))).status).toBe(404)
  expect((await view(running)).run_state).toBe('running')
})

test('acts on all that match a filter and allow it, of one project, and on no more than the caller saw', async () => {
  const names = await create(3)
  const [running = '', stopped = '', safe = ''] = names
  await runs([running, safe])
  const protect = { no_delete: false, no_stop: true, reason: 'the demo' }
  const { id: safeId } = await view(safe)
  expect((await me.call('PUT', `/ext/v1/protections/${safeId}?kind=instance`, protect)).status).toBeLessThan(
    300,
  )
  const asked = (action: string, filter: string, more: object = {}) =>
    me.post(`${url}?project=playground`, { action, filter, ...more })
  const filter = `name:${names.join(',')}`
  const done = await finished((await asked('stop', filter)).body.id)
  expect(results(done)).toEqual([`${running} done`])
  expect(said(await asked('stop', `${filter} cpu:1`))).toBe('409 no instance that matches can stop now')
  expect(said(await asked('start', filter, { at_most: 1 }))).toBe('409 2 instances match by now')
  expect(said(await asked('start', 'colour:red'))).toContain('There is no field colour here')
  expect(said(await asked('start', filter, { instances: [stopped] }))).toContain(
    'either instances or a filter',
  )
  expect(said(await me.post(`${url}?project=playground`, { action: 'start' }))).toContain(
    'either instances or a filter',
  )
  const viewer = await bed.signIn('viewer')
  expect(said(await viewer.post(`${url}?project=playground`, { action: 'stop', filter }))).toBe(
    '403 Forbidden',
  )
})

test('a filter for an action examines no more than that of a list', async () => {
  const limits = { ...defaultSettings.limits, filter_examined_rows: 1 }
  const small = await testControlPlane({
    idle: true,
    environment: { settings: { ...defaultSettings, limits } },
  })
  onTestFinished(() => small.stop())
  const member = await small.signIn('member')
  for (const name of ['one', 'two'])
    await member.post('/v1/instances?project=playground', {
      name,
      description: '',
      ncpus: 1,
      memory: 2 ** 30,
      hostname: name,
      start: false,
    })
  expect(
    said(await member.post(`${url}?project=playground`, { action: 'start', filter: 'description:*x*' })),
  ).toBe('400 more than 1 objects would have to be searched')
})

test('an instance is done when it reaches the target state, and failed with a reason when it cannot', async () => {
  const [good = '', bad = '', gone = '', slow = ''] = await create(4)
  const { id: bad_id } = await view(bad)
  const { id: slow_id } = await view(slow)
  const admin = await bed.signIn('admin')
  expect((await admin.post('/ext/v1/faults', { kind: 'boot_failure', instance_id: bad_id })).status).toBe(201)
  const { id } = (await ask('start', [good, bad, gone, slow])).body
  const states = async (): Promise<string[]> =>
    (await me.get(`${url}/${id}`)).body.items.map(({ state }: { state: string }) => state)
  await eventually(states, (all) => all.every((state) => state !== 'pending'))
  // Nothing has booted yet, so nothing is done.
  expect(await states()).toEqual(['under_way', 'under_way', 'under_way', 'under_way'])
  await bed.db.updateTable('instance').set({ time_deleted: new Date() }).where('name', '=', gone).execute()
  await eventually(
    async () => {
      bed.pass(500)
      return states()
    },
    (all) => all[0] === 'done' && all[1] === 'failed' && all[2] === 'failed',
  )
  // One that stays in transition times out, with a reason that names the time limit.
  await bed.db.updateTable('instance').set({ run_state: 'starting' }).where('id', '=', slow_id).execute()
  await bed.db
    .updateTable('instance_action_item')
    .set({ state: 'under_way', error: null })
    .where('action_id', '=', id)
    .where('instance_id', '=', slow_id)
    .execute()
  await bed.db.updateTable('instance_action').set({ time_completed: null }).where('id', '=', id).execute()
  bed.pass(bulkActionLimits.settleMinutes * 60_000)
  const done = await finished(id)
  expect(results(done)).toEqual([
    `${good} done`,
    `${bad} ${done.items[1]?.error?.message}`,
    `${gone} The instance was deleted meanwhile.`,
    `${slow} The instance is still starting after 10 minutes.`,
  ])
  expect(done.items[1]?.error?.code).toBe('boot_failure')
})

test('every result is in the audit log, under the user who asked', async () => {
  const [running = '', stopped = ''] = await create(2)
  await runs([running])
  const asked = await ask('reboot', [running, stopped])
  await finished(asked.body.id)
  const rows = await auditOf(asked)
  expect(rows.map((row) => [row.operation_id, row.http_status_code, row.error_message, row.actor])).toEqual([
    ['instance_action_create', 202, null, expect.objectContaining({ silo_user_id: me.id })],
    ...[
      ['instance_reboot', 202, null],
      ['instance_reboot', 400, 'cannot reboot an instance in state stopped with no VMM'],
    ].map((row) => [...row, expect.objectContaining({ kind: 'silo_user', silo_user_id: me.id })]),
  ])
  for (const row of rows)
    expect([row.source_ip, row.request_uri, row.auth_method]).toEqual([
      '127.0.0.1',
      `${url}?project=playground`,
      'session_cookie',
    ])
  const changes = await bed.db
    .selectFrom('change')
    .select(['operation', 'actor'])
    .where('request_id', 'like', callsOf(asked))
    .where('kind', '=', 'instance')
    .execute()
  // The rebooted instance, and the one that is set to run from now on.
  const mine = { operation: 'instance_reboot', actor: expect.objectContaining({ silo_user_id: me.id }) }
  expect(changes).toEqual([mine, mine])
})

test('each record names its instance and has only the changes of its own call', async () => {
  const [first = '', second = '', refused = ''] = await create(3)
  await runs([refused])
  const ids = new Map<string, string>()
  for (const name of [first, second, refused]) ids.set(name, (await view(name)).id)
  await finished((await ask('delete', [first, second, refused])).body.id)
  const boss = await bed.addUser('boss', { roles: [{ at: 'silo', role: 'admin' }] })
  const log = '/ext/v1/audit-log?start_time=2020-01-01T00:00:00Z&sort_by=time_and_id_descending&limit=3'
  const { items } = (await boss.get(`${log}&operation=instance_delete`)).body
  expect(
    items.map(({ details, result, changes }: Recorded) => [
      details,
      result.http_status_code,
      changes.flatMap(({ kind, name }) => (kind === 'instance' ? [name] : [])),
    ]),
  ).toEqual(
    expect.arrayContaining([
      [{ instance_id: ids.get(first), name: first }, 204, [first]],
      [{ instance_id: ids.get(second), name: second }, 204, [second]],
      [{ instance_id: ids.get(refused), name: refused }, 400, []],
    ]),
  )
  const ofFirst = (await boss.get(`${log}&operation=instance_delete&object=${first}`)).body.items
  expect(ofFirst.map(({ details }: Recorded) => details)).toEqual([
    { instance_id: ids.get(first), name: first },
  ])
})

test('the stream reports progress', async () => {
  const names = await create(3)
  const stream = await bed.follow(me)
  const { id } = (await ask('start', names)).body
  await finished(id)
  const progressEvents = () =>
    stream.events.filter(({ data }) => data.kind === 'instance-action' && data.id === id).length
  // The request, one acceptance each, and at least one step as instances reached the state, the last of which
  // completes it.
  const all = names.length + 2
  expect(
    await eventually(
      async () => progressEvents(),
      (times) => times >= all,
    ),
  ).toBeLessThanOrEqual(all + names.length - 1)
  stream.close()
  await finished((await ask('stop', names)).body.id)
})

test('requires permission to create in the project, and is visible to its author', async () => {
  const [name = ''] = await create(1)
  const viewer = await bed.signIn('viewer')
  expect(said(await ask('start', [name], viewer))).toBe('403 Forbidden')
  expect(said(await ask('start', [name], await bed.addUser('outsider')))).toBe(
    '404 not found: project with name "playground"',
  )
  const { id } = (await ask('stop', [name])).body
  await finished(id)
  const admin = await bed.signIn('admin')
  for (const who of [viewer, admin]) {
    expect(said(await who.get(`${url}/${id}`))).toBe(`404 not found: instance-action with id "${id}"`)
    expect((await who.get(`${url}?project=playground`)).body.items).toEqual([])
  }
  const [newest] = (await me.get(`${url}?project=playground`)).body.items
  expect(newest).toEqual((await me.get(`${url}/${id}`)).body)
})

test('slow actions do not hide the outcome of later ones', async () => {
  const [name = ''] = await create(1)
  const [newest] = (await me.get(`${url}?project=playground`)).body.items
  const { db } = bed
  const like = await db
    .selectFrom('instance_action')
    .selectAll()
    .where('id', '=', newest.id)
    .executeTakeFirstOrThrow()
  const slow = Array.from({ length: 20 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
  const more = {
    request: JSON.stringify(like.request),
    creation: null,
    tagging: null,
    time_created: new Date(0),
    time_completed: null,
  }
  await db
    .insertInto('instance_action')
    .values(slow.map((id) => ({ ...like, ...more, id })))
    .execute()
  // Without a job, their items stay pending.
  const item = { position: 0, instance_id: null, name, state: 'pending' as const, error: null }
  await db
    .insertInto('instance_action_item')
    .values(slow.map((action_id) => ({ ...item, action_id })))
    .execute()
  const done = await finished((await ask('delete', [name])).body.id)
  expect(results(done)).toEqual([`${name} done`])
  await db.deleteFrom('instance_action_item').where('action_id', 'in', slow).execute()
  await db.deleteFrom('instance_action').where('id', 'in', slow).execute()
})

test('lists the newest first, up to a limit', async () => {
  const [name = ''] = await create(1)
  const ids: string[] = []
  for (let n = 0; n < bulkActionLimits.listed + 2; n++) ids.push((await ask('stop', [name])).body.id)
  const { items } = (await me.get(`${url}?project=playground`)).body
  expect(items.map((item: InstanceAction) => item.id)).toEqual(
    ids.reverse().slice(0, bulkActionLimits.listed),
  )
})

test('a role revoked meanwhile no longer applies', async () => {
  const names = await create(30)
  const roles = [{ at: { project }, role: 'collaborator' as const }]
  const person = await bed.addUser('leaving', { roles })
  const asked = await ask('delete', names, person)
  await bed.db.deleteFrom('role_assignment').where('identity_id', '=', person.id).execute()
  await raiseRolesEpoch(bed.db)
  const items = await eventually(
    () =>
      bed.db
        .selectFrom('instance_action_item')
        .select(['name', 'state', 'error'])
        .where('action_id', '=', asked.body.id)
        .execute(),
    (all) => all.every(({ state }) => state !== 'pending'),
  )
  const refused = items.filter(({ state }) => state === 'failed')
  expect(refused.length).toBeGreaterThan(0)
  // The user may no longer see the instances, nor the action.
  for (const { error } of refused) expect(error?.message).toMatch(/^not found: instance with id /)
  for (const { name } of refused) expect((await me.get(at(`instances/${name}`))).status).toBe(200)
  expect((await person.get(`${url}/${asked.body.id}`)).status).toBe(404)
})

test('a user deleted meanwhile causes no further effects', async () => {
  const [name = ''] = await create(1)
  const roles = [{ at: { project }, role: 'collaborator' as const }]
  const person = await bed.addUser('leaver', { roles })
  const [asked] = await Promise.all([
    ask('delete', [name], person),
    eventually(
      () => bed.db.selectFrom('instance_action').select('id').where('silo_user_id', '=', person.id).execute(),
      (all) => all.length > 0,
    ).then(() =>
      bed.db.updateTable('silo_user').set({ time_deleted: new Date() }).where('id', '=', person.id).execute(),
    ),
  ])
  const item = await eventually(
    () =>
      bed.db
        .selectFrom('instance_action_item')
        .selectAll()
        .where('action_id', '=', asked?.body.id)
        .executeTakeFirstOrThrow(),
    ({ state }) => state !== 'pending',
  )
  const there = (await me.get(at(`instances/${name}`))).status === 200
  expect([item.state, item.error?.code]).toEqual(there ? ['failed', 'Unauthorized'] : ['done', undefined])
})

test('nothing runs twice, however often the job is taken over', async () => {
  const names = await create(24)
  await runs(names)
  const before = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await view(name)).time_run_state_updated] as const)),
  )
  const asked = await ask('reboot', names)
  // As after a crash: the lease has expired while others may still be working, so the job is claimed
  // repeatedly.
  for (let round = 0; round < 6; round++) {
    await bed.db
      .updateTable('job')
      .set({ lease_until: null, run_at: new Date(0) })
      .where('kind', '=', 'instance-action')
      .where('state', '=', 'pending')
      .execute()
    bed.pass(1)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  const done = await finished(asked.body.id)
  expect(results(done)).toEqual(names.map((name) => `${name} done`))
  const rows = await auditOf(asked)
  expect(rows.filter(({ operation_id }) => operation_id === 'instance_reboot')).toHaveLength(names.length)
  const reboots = await bed.db
    .selectFrom('change')
    .select('name')
    .where('request_id', 'like', callsOf(asked))
    .where('kind', '=', 'instance')
    .orderBy('name')
    .execute()
  expect(reboots.map(({ name }) => name)).toEqual(names.toSorted())
  for (const name of names) expect((await view(name)).time_run_state_updated).not.toBe(before[name])
  await finished((await ask('stop', names)).body.id)
  bed.pass(10_000)
})

test('a killed job resumes where it stopped', async () => {
  const names = await create(6)
  const asked = await ask('delete', names)
  const { id } = await finished(asked.body.id)
  // The state after a crash: half of the items are done, the rest and the job are not.
  const again = await create(3)
  const rows = await bed.db
    .selectFrom('instance')
    .select(['id', 'name'])
    .where('name', 'in', again)
    .where('time_deleted', 'is', null)
    .execute()
  for (const [index, row] of rows.entries())
    await bed.db
      .updateTable('instance_action_item')
      .set({ instance_id: row.id, name: row.name, state: 'pending' })
      .where('action_id', '=', id)
      .where('position', '=', 3 + index)
      .execute()
  await bed.db.updateTable('instance_action').set({ time_completed: null }).where('id', '=', id).execute()
  await bed.db
    .insertInto('job')
    .values({
      id: crypto.randomUUID(),
      kind: 'instance-action',
      args: JSON.stringify({ action_id: id }),
      state: 'pending',
      run_at: new Date(0),
      lease_until: new Date(0),
      attempts: 1,
      time_created: new Date(),
      time_done: null,
    })
    .execute()
  const done = await finished(id)
  expect(done.items.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'done'))
  for (const name of again) expect((await me.get(at(`instances/${name}`))).status).toBe(404)
})

test('the stop of the server is no failed attempt, and what is given up is audited', async () => {
  const names = await create(2)
  const asked = await ask('stop', names)
  const { id } = await finished(asked.body.id)
  await bed.db
    .updateTable('instance_action_item')
    .set({ state: 'pending' })
    .where('action_id', '=', id)
    .execute()
  await bed.db.updateTable('instance_action').set({ time_completed: null }).where('id', '=', id).execute()
  const ending = new AbortController()
  ending.abort()
  const cx = systemCx(testServices({ db: bed.db, ending: ending.signal }), 'job:test')
  // What a job throws for this reason is left to the next process.
  await expect(instanceAction.run(cx, { action_id: id })).rejects.toBe(ending.signal.reason)
  const before = await auditOf(asked)

  await instanceAction.gaveUp(cx, { action_id: id }, new Error('/var/lib/gantry is gone'))
  expect(results(await finished(id))).toEqual(names.map((name) => `${name} Internal Server Error`))
  const after = await auditOf(asked)
  const added = after.filter((row) => !before.some((known) => known.id === row.id))
  expect(added.map((row) => [row.operation_id, row.http_status_code, row.error_message, row.actor])).toEqual(
    names.map(() => [
      'instance_stop',
      500,
      'Internal Server Error',
      expect.objectContaining({ silo_user_id: me.id }),
    ]),
  )
})

test('accepts a thousand, but no more and not none', async () => {
  const many = (howMany: number) => Array.from({ length: howMany }, (_, n) => `nobody-${n}`)
  for (const [instances, message] of [
    [[], 'expected at least one instance'],
    [many(bulkActionLimits.instances + 1), `expected at most ${bulkActionLimits.instances} instances`],
    [['Not_A_Name'], 'data did not match any variant of untagged enum NameOrId'],
  ] as const)
    expect(said(await ask('stop', instances))).toContain(message)
  expect(said(await ask('explode', ['nobody']))).toContain('action: unknown variant `explode`')
  const asked = await ask('stop', many(bulkActionLimits.instances))
  expect(asked.status).toBe(202)
  expect((await finished(asked.body.id)).items).toHaveLength(bulkActionLimits.instances)
})

test('is deleted a month after it completed', async () => {
  const [name = ''] = await create(1)
  const { id } = (await ask('stop', [name])).body
  await finished(id)
  const old = new Date(Date.now() - 30 * day - 60_000)
  await bed.db.updateTable('instance_action').set({ time_completed: old }).where('id', '=', id).execute()
  expect((await me.get(`${url}/${id}`)).status).toBe(404)
  expect(
    (await me.get(`${url}?project=playground`)).body.items.some((item: InstanceAction) => item.id === id),
  ).toBe(false)
  const clock = () => new Date()
  const kept = await bed.db.selectFrom('instance_action').select('id').where('id', '<>', id).execute()
  await forgetOldActions({ db: bed.db, clock })
  expect(await bed.db.selectFrom('instance_action').select('id').execute()).toEqual(kept)
  const items = bed.db.selectFrom('instance_action_item').select('position')
  expect(await items.where('action_id', '=', id).execute()).toEqual([])
})

test('acts on instances of several projects, on each with the rights that the caller has there', async () => {
  const [here = ''] = await create(1)
  const machine = { description: '', ncpus: 1, memory: GiB, start: false }
  const add = async (where: string, name: string): Promise<string> =>
    (await me.post(`/v1/instances?project=${where}`, { ...machine, name, hostname: name })).body.id
  const projects: Record<string, string> = {}
  for (const name of ['mine', 'theirs', 'unseen'])
    projects[name] = (await me.post('/v1/projects', { name, description: '' })).body.id
  const ids = {
    mine: await add('mine', 'cross-mine'),
    theirs: await add('theirs', 'cross-theirs'),
    unseen: await add('unseen', 'cross-unseen'),
  }
  const person = await bed.addUser('crosser', {
    roles: [
      { at: { project: projects.mine ?? '' }, role: 'collaborator' },
      { at: { project: projects.theirs ?? '' }, role: 'viewer' },
    ],
  })
  const across = (body: object, who: Caller = person) => who.post(url, body)
  const asked = await across({ action: 'start', instances: [ids.mine, ids.theirs, ids.unseen] })
  expect(asked.status, said(asked)).toBe(202)
  expect(asked.body.project_id).toBeNull()
  const done = await finished(asked.body.id, person)
  expect(results(done)).toEqual([
    'cross-mine done',
    'cross-theirs Forbidden',
    `${ids.unseen} not found: instance with id "${ids.unseen}"`,
  ])
  expect(done.items[1]?.error?.help).toMatch(/project limited collaborator|project collaborator/)
  // All that match and allow it, wherever the caller may see them.
  const stop = (await across({ action: 'stop', filter: 'name:cross-*', at_most: 1 })).body
  expect(results(await finished(stop.id, person))).toEqual(['cross-mine done'])
  expect(said(await across({ action: 'start', filter: 'name:cross-*', at_most: 1 }))).toBe(
    '409 2 instances match by now',
  )
  const all = (await across({ action: 'start', filter: 'name:cross-*' })).body
  expect(results(await finished(all.id, person))).toEqual(['cross-mine done', 'cross-theirs Forbidden'])
  expect((await person.get(url)).body.items.map(({ id }: InstanceAction) => id)).toEqual([
    all.id,
    stop.id,
    asked.body.id,
  ])
  expect((await person.get(`${url}?project=mine`)).body.items).toEqual([])
  const again = await person.post(`${url}/${all.id}/retry`)
  expect(results(await finished(again.body.id, person))).toEqual(['cross-theirs Forbidden'])
  expect(said(await across({ action: 'start', instances: [here] }, me))).toBe(
    '400 instances of several projects must be named by id',
  )
  expect(said(await across({ action: 'start', instances: [ids.mine] }, bed.anonymous))).toMatch(/^401 /)
  const gone = (await across({ action: 'stop', instances: [ids.mine] }, me)).body
  await finished(gone.id)
})

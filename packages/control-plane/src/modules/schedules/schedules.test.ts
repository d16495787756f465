import type { ScheduleRun, ScheduleRunItem } from '@gantry/api/schedules/schedule'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'
import { settleRuns } from './outcomes.ts'
import { forgetOldRuns } from './retention.ts'
import { testServices } from '../../testing/services.ts'

const GiB = 1024 ** 3
const hour = 3_600_000
let bed: TestBed
let me: Caller
let now: number
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  now = Date.now()
})
afterAll(() => bed.stop())

const at = (path: string) => `/v1/${path}?project=playground`
const url = '/ext/v1/schedules'
const inProject = '?project=playground'

/** Signs in anew, because sessions end meanwhile. */
async function pass(ms: number): Promise<void> {
  bed.pass(ms)
  now += ms
  me = await bed.signIn('member')
}
/** Passes the time until a minute after the next full hour. */
const toNextHour = (): Promise<void> => pass(hour - ((Date.now() + now - began) % hour) + 60_000)
const began = Date.now()

async function disk(name: string): Promise<string> {
  const body = { name, description: '', size: GiB, disk_source: { type: 'blank', block_size: 512 } }
  const made = await me.post(at('disks'), body)
  expect(said(made)).toBe('201')
  return made.body.id
}
async function instance(name: string): Promise<string> {
  const body = { name, description: '', ncpus: 1, memory: GiB, hostname: name, start: false }
  const made = await me.post(at('instances'), body)
  expect(said(made)).toBe('201')
  return made.body.id
}
/** Without summer time, so that no hour is there twice. */
const hourly = { timing: { type: 'hourly', minute: 0 }, timezone: 'UTC' }
const create = (name: string, more: object) =>
  me.post(`${url}${inProject}`, { name, description: '', ...hourly, ...more })
async function made(name: string, more: object): Promise<string> {
  const answer = await create(name, more)
  expect(said(answer)).toBe('201')
  return answer.body.id
}
const runsOf = async (name: string): Promise<ScheduleRun[]> =>
  (await me.get(`${url}/${name}/runs${inProject}`)).body.items
/** The runs once there are so many and all have ended, newest first. */
const ended = (name: string, count: number): Promise<ScheduleRun[]> =>
  eventually(
    async () => {
      bed.pass(500)
      return runsOf(name)
    },
    (runs) => runs.length >= count && runs.every(({ time_ended }) => time_ended !== null),
    20_000,
  )
const itemsOf = async (name: string, due?: string): Promise<ScheduleRunItem[]> =>
  (await me.get(`${url}/${name}/run-items${inProject}${due ? `&due=${due}` : ''}`)).body.items
const remove = (name: string) => me.call('DELETE', `${url}/${name}${inProject}`)

test('takes snapshots of chosen disks, and deletes only its own old ones', async () => {
  const ids = [await disk('one'), await disk('two')]
  const byHand = await me.post(at('snapshots'), { name: 'by-hand', description: '', disk: 'one' })
  expect(said(byHand)).toBe('201')
  const schedule = await made('nightly', {
    action: 'snapshot_disk',
    objects: ['one', ids[1]],
    keep: { hourly: 2, daily: 0, weekly: 0, monthly: 0 },
  })
  const view = (await me.get(`${url}/nightly${inProject}`)).body
  expect(view.objects).toEqual([
    { id: ids[0], name: 'one' },
    { id: ids[1], name: 'two' },
  ])
  expect(view.next_runs).toHaveLength(5)
  for (const next of view.next_runs) expect(Date.parse(next) % hour).toBe(0)
  for (let round = 1; round <= 3; round++) {
    await toNextHour()
    const [run] = await ended('nightly', round)
    expect(run).toMatchObject({
      state: 'done',
      total: 2,
      done: 2,
      failed: 0,
      missed: 0,
      removed: round === 3 ? 2 : 0,
    })
  }
  const [run] = await runsOf('nightly')
  const items = await itemsOf('nightly', run?.due)
  expect(items.map(({ object, state, error }) => [object.name, state, error])).toEqual([
    ['one', 'done', null],
    ['two', 'done', null],
  ])
  const snapshots = (await me.get(at('snapshots'))).body.items as {
    id: string
    name: string
    disk_id: string
  }[]
  expect(snapshots).toHaveLength(5)
  expect(snapshots.find(({ id }) => id === items[0]?.snapshot?.id)?.name).toBe(items[0]?.snapshot?.name)
  expect(snapshots.map(({ id }) => id)).toContain(byHand.body.id)
  // Activity and tasks say which schedule it was.
  const activity = (await me.get(`/ext/v1/activity?project=playground&object=${items[0]?.snapshot?.id}`)).body
    .items
  expect(activity[0]).toMatchObject({
    actor: { kind: 'platform', name: 'schedule nightly' },
    changes: [{ kind: 'snapshot', action: 'took' }],
  })
  const task = (await me.get(`/ext/v1/tasks/${run?.task_id}`)).body
  expect(task).toMatchObject({
    kind: 'schedule-run',
    verb: 'run',
    state: 'finished',
    object: { kind: 'schedule', id: schedule, name: 'nightly' },
    progress: { done: 2, total: 2 },
  })
  const tasks = (await me.get('/ext/v1/tasks?project=playground')).body.items as {
    kind: string
    by: { name: string }
  }[]
  expect(tasks.filter(({ kind }) => kind === 'schedule-run')).toHaveLength(3)
  // Steps of a run are no tasks of their own.
  expect(tasks.filter(({ kind, by }) => kind === 'snapshot' && by.name === 'schedule nightly')).toEqual([])
  expect(said(await remove('nightly'))).toBe('204')
  expect((await me.get(at('snapshots'))).body.items).toHaveLength(5)
})

test('takes snapshots of whole instances, and deletes only its own old ones', async () => {
  const id = await instance('whole')
  for (const name of ['whole-boot', 'whole-data']) {
    await disk(name)
    await me.post(at('instances/whole/disks/attach'), { disk: name })
  }
  await instance('bare')
  const byHand = { name: 'whole-by-hand', description: '', instance: 'whole' }
  expect(said(await me.post(`/ext/v1/instance-snapshots${inProject}`, byHand))).toBe('201')
  await made('bundles', {
    action: 'snapshot_instance',
    filter: 'name:whole,bare',
    keep: { hourly: 1, daily: 0, weekly: 0, monthly: 0 },
  })
  for (let round = 1; round <= 2; round++) {
    await toNextHour()
    const [run] = await ended('bundles', round)
    // An instance without disks has nothing to copy, and keeps no other from its snapshot.
    expect(run).toMatchObject({ state: 'failed', total: 2, done: 1, failed: 1, removed: round - 1 })
  }
  const items = await itemsOf('bundles')
  expect(items.map(({ object, state, error }) => [object.name, state, error?.message])).toEqual([
    ['bare', 'failed', 'the instance has no disks'],
    ['whole', 'done', undefined],
  ])
  const kept = (await me.get(`/ext/v1/instance-snapshots${inProject}&instance_id=${id}`)).body.items as {
    id: string
    name: string
    state: string
  }[]
  expect(items[1]?.snapshot).toMatchObject({
    kind: 'instance-snapshot',
    name: expect.stringMatching(/^whole-/),
  })
  expect(new Set(kept.map((one) => one.name))).toEqual(new Set(['whole-by-hand', items[1]?.snapshot?.name]))
  expect(kept.every(({ state }) => state === 'ready')).toBe(true)
  const [entry] = (await me.get(`/ext/v1/activity${inProject}&object=${items[1]?.snapshot?.id}`)).body.items
  expect(entry.actor).toMatchObject({ kind: 'platform', name: 'schedule bundles' })
  expect(entry.changes[0]).toMatchObject({ kind: 'instance-snapshot', action: 'took' })
  const details = `/ext/v1/list-details?kind=instance-snapshot&id=${items[1]?.snapshot?.id}`
  expect((await me.get(details)).body.items).toMatchObject([
    { instance: { name: expect.any(String) }, schedule: { name: 'bundles' } },
  ])
  await forgetOldRuns(testServices(bed))
  const notes = await bed.db.selectFrom('schedule_made').select('snapshot_id').execute()
  expect(notes.map(({ snapshot_id }) => snapshot_id)).toContain(items[1]?.snapshot?.id)
  await remove('bundles')
})

test('backs instances up to a target of its own or the default one, and deletes only its own old backups', async () => {
  const id = await instance('kept')
  await disk('kept-boot')
  await me.post(at('instances/kept/disks/attach'), { disk: 'kept-boot' })
  const path = `/ext/v1/instance-backups${inProject}`
  const backups = async () =>
    (await me.get(`${path}&instance_id=${id}`)).body.items as { name: string; state: string }[]
  const byHand = { name: 'kept-by-hand', description: '', instance: 'kept' }
  expect(said(await me.post(path, byHand))).toBe('201')
  const what = { action: 'back_up', filter: 'name:kept' }
  expect(
    said(await create('nowhere', { ...what, target: { type: 'named', backup_target: 'none' } })),
  ).toMatch(/^404 not found: backup-target/)
  expect(said(await create('wrong', { action: 'stop', filter: '', target: { type: 'default' } }))).toMatch(
    /this schedule makes no backups/,
  )
  await made('backups', { ...what, keep: { hourly: 1, daily: 0, weekly: 0, monthly: 0 } })
  const view = async () => (await me.get(`${url}/backups${inProject}`)).body
  expect((await view()).target).toEqual({ type: 'default' })
  const targets = '/ext/v1/system/backup-targets'
  for (let round = 1; round <= 2; round++) {
    await toNextHour()
    const [run] = await ended('backups', round)
    expect(run).toMatchObject({ state: 'done', total: 1, done: 1, failed: 0, removed: round - 1 })
    if (round === 2) break
    const target = { type: 'named', backup_target: 'demo-backups' }
    expect(said(await me.call('PUT', `${url}/backups${inProject}`, { target }))).toBe('200')
    expect((await view()).target).toMatchObject({ type: 'named', name: 'demo-backups' })
  }
  const [item] = await itemsOf('backups')
  expect(item?.snapshot).toMatchObject({ kind: 'instance-backup', name: expect.stringMatching(/^kept-/) })
  expect(new Set((await backups()).map(({ name }) => name))).toEqual(
    new Set(['kept-by-hand', item?.snapshot?.name]),
  )
  const [entry] = (await me.get(`/ext/v1/activity${inProject}&object=${item?.snapshot?.id}`)).body.items
  expect(entry.actor).toMatchObject({ kind: 'platform', name: 'schedule backups' })
  // What a schedule names stays.
  const admin = await bed.signIn('admin')
  const refused = await admin.call('DELETE', `${targets}/demo-backups`)
  expect(said(refused)).toBe(
    '409 backup target demo-backups is named by schedule backups of project playground',
  )
  expect(refused.body).toMatchObject({
    help: 'Have them write to another target, or delete them, first.',
    details: { blockers: [{ kind: 'schedule', count: 1, names: ['backups'] }] },
  })
  // One of before targets were kept for their schedules.
  const { target: kept } = await bed.db
    .selectFrom('schedule')
    .select('target')
    .where('name', '=', 'backups')
    .where('time_deleted', 'is', null)
    .executeTakeFirstOrThrow()
  const setTarget = (target: typeof kept) =>
    bed.db
      .updateTable('schedule')
      .set({ target: JSON.stringify(target) })
      .where('name', '=', 'backups')
      .execute()
  await setTarget({ type: 'named', backup_target: crypto.randomUUID() })
  expect((await view()).target).toMatchObject({ name: null })
  await toNextHour()
  const [failed] = await ended('backups', 3)
  expect(failed).toMatchObject({ state: 'failed', failed: 1, removed: 0 })
  expect((await itemsOf('backups'))[0]?.error?.message).toBe(
    'the backup target of the schedule no longer exists',
  )
  await setTarget(kept)
  expect(said(await me.call('PUT', `${url}/backups${inProject}`, { target: { type: 'default' } }))).toBe(
    '200',
  )
  // The default one goes though schedules write there.
  expect(said(await admin.call('DELETE', `${targets}/demo-backups`))).toBe('204')
  await toNextHour()
  await ended('backups', 4)
  expect((await itemsOf('backups'))[0]?.error).toMatchObject({
    message: 'there is no place for backups',
    help: 'Ask the operator to add a backup target.',
  })
  expect(said(await remove('backups'))).toBe('204')
})

test('stops and starts what matches a filter when it runs, and says what it could not', async () => {
  const [plain, safe] = [await instance('plain'), await instance('safe')]
  await made('morning', { action: 'start', filter: 'name:plain,safe' })
  await toNextHour()
  expect(await ended('morning', 1)).toMatchObject([{ state: 'done', total: 2, done: 2 }])
  expect((await me.get(`/v1/instances/${plain}`)).body.run_state).toBe('running')
  await remove('morning')
  const protection = { no_delete: false, no_stop: true, reason: 'the demo' }
  expect(said(await me.call('PUT', `/ext/v1/protections/${safe}?kind=instance`, protection))).toBe('200')
  await made('evening', { action: 'stop', filter: 'state:running name:plain,safe' })
  await toNextHour()
  const [run] = await ended('evening', 1)
  expect(run).toMatchObject({ state: 'failed', total: 2, done: 1, failed: 1 })
  const items = await itemsOf('evening')
  expect(items.map(({ object, error }) => [object.name, error?.message ?? 'done'])).toEqual([
    ['plain', 'done'],
    ['safe', expect.stringContaining('protected')],
  ])
  const { failures } = (await me.get(`/ext/v1/tasks/${run?.task_id}`)).body
  expect(failures).toMatchObject([{ id: safe, name: 'safe' }])
  await remove('evening')
})

test('what was due while no server ran is made up once at most, and said', async () => {
  await disk('late')
  await made('late', { action: 'snapshot_disk', objects: ['late'] })
  const threeHoursAgo = new Date(now - 3 * hour).toISOString().slice(11, 16)
  await made('late-stop', {
    action: 'stop',
    filter: 'name:plain',
    timing: { type: 'daily', at: threeHoursAgo },
    timezone: 'UTC',
  })
  await bed.db
    .updateTable('schedule_clock')
    .set({ next_run: new Date(now - 50 * hour) })
    .execute()
  bed.pass(1000)
  const [run, ...others] = await ended('late', 1)
  expect(others).toEqual([])
  expect(run).toMatchObject({ state: 'done', total: 1, done: 1 })
  expect(run?.missed).toBeGreaterThanOrEqual(49)
  // Yesterday's, that of the day before, and today's three hours ago.
  expect(await ended('late-stop', 1)).toMatchObject([
    { state: 'missed', missed: 3, total: 0, reason: 'The server was down when it was due.' },
  ])
  // A run that has not ended yet lets the next one be missed.
  await bed.db
    .updateTable('schedule_run')
    .set({ time_ended: null, state: 'running', total: null })
    .where('id', '=', run?.id ?? '')
    .execute()
  await toNextHour()
  const [overlapping] = await eventually(
    () => runsOf('late'),
    (runs) => runs.length === 2,
    20_000,
  )
  expect(overlapping).toMatchObject({
    state: 'missed',
    missed: 1,
    reason: 'The run before was still in progress.',
  })
  await bed.db
    .updateTable('schedule_run')
    .set({ time_ended: new Date() })
    .where('id', '=', run?.id ?? '')
    .execute()
  for (const name of ['late', 'late-stop']) await remove(name)
})

test('a disabled schedule is not due, and an edit of its name leaves alone when it is', async () => {
  const id = await made('edited', { action: 'stop', filter: 'name:plain' })
  const clock = () =>
    bed.db.selectFrom('schedule_clock').select('next_run').where('schedule_id', '=', id).execute()
  const edit = (body: object) => me.call('PUT', `${url}/${id}`, body)
  await bed.db
    .updateTable('schedule_clock')
    .set({ next_run: new Date(now + 10 * hour) })
    .where('schedule_id', '=', id)
    .execute()
  const before = await clock()
  expect((await edit({ name: 'edited-2', description: 'x' })).body).toMatchObject({
    name: 'edited-2',
    filter: 'name:plain',
  })
  expect(await clock()).toEqual(before)
  expect((await edit({ is_enabled: false })).body).toMatchObject({ is_enabled: false, next_runs: [] })
  expect(await clock()).toEqual([])
  expect(
    (await edit({ is_enabled: true, timing: { type: 'daily', at: '03:00' } })).body.next_runs,
  ).toHaveLength(5)
  expect(await clock()).toHaveLength(1)
  await remove('edited-2')
  expect(await clock()).toEqual([])
})

test.each([
  ['no zone', { timezone: 'Mars/Olympus' }, 'unsupported value for "timezone": unknown time zone'],
  [
    'too often',
    { timing: { type: 'cron', cron: '* * * * *' } },
    'unsupported value for "timing": Leave at least 5 minutes between two runs',
  ],
  ['no objects', { filter: undefined, objects: [] }, 'no objects are given'],
  ['both', { objects: ['plain'] }, 'either objects or a filter must be given'],
  ['neither', { filter: undefined }, 'either objects or a filter must be given'],
  ['unknown', { filter: undefined, objects: ['nobody'] }, 'not found: instance with name "nobody"'],
  ['a bad filter', { filter: 'colour:red' }, expect.stringContaining('There is no field colour here')],
  [
    'keeps nothing',
    { keep: { hourly: 1, daily: 0, weekly: 0, monthly: 0 } },
    'unsupported value for "keep": this schedule makes no snapshots and no backups',
  ],
])('refuses %s', async (_what, more, message) => {
  const answer = await create('bad', { action: 'stop', filter: 'name:x', ...more })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.body.message).toEqual(message)
})

test('goes with its project, and comes back with it', async () => {
  const admin = await bed.signIn('admin')
  expect(said(await admin.post('/v1/projects', { name: 'short', description: '' }))).toBe('201')
  const inShort = '?project=short'
  const created = await admin.post(`${url}${inShort}`, {
    name: 'weekly',
    description: '',
    ...hourly,
    action: 'stop',
    filter: 'name:x',
  })
  expect(said(created)).toBe('201')
  const vpc = await admin.get(`/v1/vpcs${inShort}`)
  for (const { id } of vpc.body.items) {
    for (const subnet of (await admin.get(`/v1/vpc-subnets?vpc=${id}`)).body.items)
      await admin.call('DELETE', `/v1/vpc-subnets/${subnet.id}`)
    await admin.call('DELETE', `/v1/vpcs/${id}`)
  }
  expect(said(await admin.call('DELETE', '/v1/projects/short'))).toBe('204')
  const clocks = () =>
    bed.db
      .selectFrom('schedule_clock')
      .select('schedule_id')
      .where('schedule_id', '=', created.body.id)
      .execute()
  expect(await clocks()).toEqual([])
  const bin = (await admin.get('/ext/v1/recycle-bin')).body.items as { id: string; name: string }[]
  const item = bin.find(({ name }) => name === 'short')
  expect(said(await admin.post(`/ext/v1/recycle-bin/${item?.id}/restore`, {}))).toBe('201')
  expect((await admin.get(`${url}${inShort}`)).body.items).toMatchObject([
    { name: 'weekly', is_enabled: true },
  ])
  expect(await clocks()).toHaveLength(1)
})

test('many open runs of one user leave none of the others waiting', async () => {
  const { id: project_id, silo_id } = await bed.db
    .selectFrom('project')
    .select(['id', 'silo_id'])
    .where('name', '=', 'playground')
    .executeTakeFirstOrThrow()
  const run = (index: number, schedule_id: string) => ({
    // Those that stay open come first in every order of ids.
    id: `${index < 120 ? '00000000' : 'ffffffff'}-0000-4000-8000-${String(index).padStart(12, '0')}`,
    schedule_id,
    schedule_name: 'many',
    silo_id,
    project_id,
    due: new Date(Date.UTC(2026, 0, 1, 0, index)),
    state: 'running' as const,
    // What has no objects yet stays open.
    total: index < 120 ? null : 0,
    time_begun: new Date(),
  })
  const schedule_id = crypto.randomUUID()
  const runs = Array.from({ length: 125 }, (_, index) => run(index, schedule_id))
  await bed.db.insertInto('schedule_run').values(runs).execute()
  expect(await settleRuns(testServices({ db: bed.db }))).toBe(true)
  const open = await bed.db
    .selectFrom('schedule_run')
    .select('id')
    .where('schedule_id', '=', schedule_id)
    .where('time_ended', 'is', null)
    .execute()
  expect(open).toHaveLength(120)
  await bed.db.deleteFrom('schedule_run').where('schedule_id', '=', schedule_id).execute()
})

test('old runs are forgotten', async () => {
  expect((await bed.db.selectFrom('schedule_run').select('id').execute()).length).toBeGreaterThan(0)
  await forgetOldRuns(testServices({ db: bed.db, clock: () => new Date(now + 200 * 24 * hour) }))
  expect(await bed.db.selectFrom('schedule_run').select('id').execute()).toEqual([])
  expect(await bed.db.selectFrom('schedule_run_item').select('run_id').execute()).toEqual([])
})

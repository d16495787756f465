import type { ActivityChange } from '@gantry/api/history/activity'
import { savedPlanLimits } from '@gantry/api/history/saved-plan.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Caller,
  eventually,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { furnishProject } from '../../testing/hidden-things.ts'

let bed: TestBed
let member: Caller
let admin: Caller
let author: Caller & { id: string }
let outsider: Caller & { id: string }
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  admin = await bed.signIn('admin')
  await furnishProject(member, 'atlas')
  const { id: project } = (await member.get('/v1/projects/atlas')).body
  author = await bed.addUser('plan-author', { roles: [{ at: { project }, role: 'admin' }] })
  outsider = await bed.addUser('plan-outsider')
})
afterAll(() => bed.stop())

const project = '/v1/projects/atlas'
const edit = (description: string) => ({
  method: 'PUT',
  path: project,
  body: JSON.stringify({ description }),
})
const descriptionNow = async () => (await member.get(project)).body.description as string
async function saved(request: object, who: Caller = author): Promise<string> {
  const answer = await who.post('/ext/v1/saved-plans', request)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.id
}
const at = (id: string) => `/ext/v1/saved-plans/${id}`
const commit = async (id: string, who: Caller, hash?: string) =>
  who.post(`${at(id)}/commit`, { hash: hash ?? (await who.post(`${at(id)}/check`)).body.current.hash })

test('somebody else commits a saved plan once, and both are named', async () => {
  const before = await descriptionNow()
  const id = await saved({ ...edit('by plan'), note: 'for the audit' })
  expect(await descriptionNow()).toBe(before)
  const seen = await member.get(at(id))
  expect(seen.body).toMatchObject({
    state: 'open',
    author: { id: author.id, name: 'plan-author' },
    note: 'for the audit',
    operation: 'project_update',
    about: { kind: 'project', name: 'atlas' },
    change_count: 1,
    four_eyes: null,
    plan: { changes: [{ kind: 'project', action: 'edited' }] },
  })
  const check = await member.post(`${at(id)}/check`)
  expect([check.status, check.body.is_moved, check.body.why_not]).toEqual([200, false, null])

  // Two at once: it happens once.
  const answers = await Promise.all([
    commit(id, member, check.body.current.hash),
    commit(id, author, check.body.current.hash),
  ])
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  expect(await descriptionNow()).toBe('by plan')
  const done = answers.find(({ status }) => status === 200)?.body
  expect(done).toMatchObject({ state: 'committed', author: { name: 'plan-author' } })
  expect((await commit(id, member, 'x')).status).toBe(409)
  expect((await member.post(`${at(id)}/withdraw`)).status).toBe(409)
  const changes = await bed.db
    .selectFrom('change')
    .select('id')
    .where('kind', '=', 'project')
    .where('object_id', '=', done.about.id)
    .where('operation', '=', 'project_update')
    .execute()
  expect(changes).toHaveLength(1)

  const { items } = (await member.get('/ext/v1/activity?project=atlas&limit=5')).body
  const entry = items.find(({ operation }: { operation: string }) => operation === 'project_update')
  expect(entry).toMatchObject({
    planned_by: { id: author.id, name: 'plan-author' },
    actor: { name: done.ended_by.name },
    changes: [{ kind: 'project', action: 'edited' }],
  })
  const audit = await bed.db
    .selectFrom('audit')
    .select('details')
    .where('operation_id', '=', 'project_update')
    .orderBy('time_completed', 'desc')
    .executeTakeFirstOrThrow()
  expect(audit.details).toMatchObject({ saved_plan_id: id, planned_by: { name: 'plan-author' } })
})

test('a plan that moved says so, and is committed only as it is now', async () => {
  const id = await saved(edit('later'))
  const old = (await member.post(`${at(id)}/check`)).body.current.hash
  await member.call('PUT', project, { description: 'meanwhile' })
  const check = (await member.post(`${at(id)}/check`)).body
  expect(check).toMatchObject({ is_moved: true, why_not: null })
  const refused = await commit(id, member, old)
  expect([refused.status, refused.body.details.plan.hash]).toEqual([409, check.current.hash])
  expect((await member.get(at(id))).body.state).toBe('open')
  expect(await descriptionNow()).toBe('meanwhile')
  expect((await commit(id, member)).status).toBe(200)
  expect(await descriptionNow()).toBe('later')
})

test('who may not make the change sees no plan of it, cannot save one, and a lost right counts', async () => {
  const id = await saved(edit('secret'))
  for (const [method, path, body] of [
    ['GET', at(id)],
    ['POST', `${at(id)}/check`],
    ['POST', `${at(id)}/commit`, { hash: 'x' }],
    ['POST', `${at(id)}/withdraw`],
  ] as const)
    expect((await outsider.call(method, path, body)).status).toBe(404)
  expect((await outsider.post('/ext/v1/saved-plans', edit('no'))).status).toBe(404)
  expect((await outsider.get('/ext/v1/saved-plans?project=atlas')).status).toBe(404)
  expect((await member.get('/ext/v1/saved-plans?project=atlas')).body.items[0]).toMatchObject({
    id,
    state: 'open',
  })
  // A viewer may see the project, and not change it.
  const viewer = await bed.signIn('viewer')
  expect((await viewer.get(at(id))).status).toBe(404)
  expect((await viewer.post('/ext/v1/saved-plans', edit('no'))).status).toBe(403)
  expect((await viewer.get('/ext/v1/saved-plans?project=atlas')).body.items).toEqual([])
  expect((await author.post(`${at(id)}/withdraw`)).body).toMatchObject({ state: 'withdrawn' })
  expect((await commit(id, member, 'x')).body.message).toBe('the plan was withdrawn')
})

test('what cannot be planned, holds a secret, or does not parse cannot be saved', async () => {
  const refused = async (request: object) => (await admin.post('/ext/v1/saved-plans', request)).body.message
  const secret = {
    method: 'POST',
    path: '/v1/system/identity-providers/local/users?silo=demo',
    body: JSON.stringify({ external_id: 'x', password: { mode: 'password', value: 'secret' } }),
  }
  expect(await refused(secret)).toBe('this operation cannot be saved as a plan')
  expect(await refused({ method: 'POST', path: '/ext/v1/saved-plans', body: '{}' })).toBe(
    'this operation cannot be saved as a plan',
  )
  expect(await refused({ method: 'PUT', path: '//evil/v1/projects/atlas' })).toBe(
    'the path must begin with /',
  )
  expect(await refused({ method: 'PUT', path: '/v1/../v1/projects/atlas' })).toBe(
    'the path must begin with /',
  )
  expect(await refused({ method: 'PUT', path: project, body: '{' })).toContain('JSON')
  expect(await refused({ method: 'PUT', path: '/v1/nowhere' })).toBe('Not Found')
})

test('a plan expires, and everybody has a limited number', async () => {
  const id = await saved(edit('too late'))
  await bed.db
    .updateTable('saved_plan')
    .set({ time_expires: new Date(0) })
    .where('id', '=', id)
    .execute()
  expect((await member.get(at(id))).body.state).toBe('expired')
  expect((await commit(id, member, 'x')).body.message).toBe('the plan has expired')
  const row = await bed.db.selectFrom('saved_plan').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  for (let index = 0; index < savedPlanLimits.ofUser; index++)
    await bed.db
      .insertInto('saved_plan')
      .values({
        ...row,
        id: crypto.randomUUID(),
        plan: JSON.stringify(row.plan),
        tags: null,
        about: row.about && JSON.stringify(row.about),
        time_expires: new Date('2999-01-01'),
      })
      .execute()
  expect((await author.post('/ext/v1/saved-plans', edit('one more'))).body.message).toContain(
    'saved plans already',
  )
  await bed.db.deleteFrom('saved_plan').where('author_id', '=', author.id).execute()
})

const rules = '/v1/vpc-firewall-rules?project=atlas&vpc=default'

test('where a silo demands four eyes, a direct request is refused with the way on, and nobody commits their own plan', async () => {
  const { id: siloUser } = await bed.addUser('plan-silo-admin', { roles: [{ at: 'silo', role: 'admin' }] })
  const siloAdmin = await bed.signIn('plan-silo-admin')
  expect(siloUser).toBeTruthy()
  const set = await siloAdmin.call('PUT', '/ext/v1/four-eyes-settings', { kinds: ['firewall', 'deletions'] })
  expect([set.status, set.body]).toEqual([200, { kinds: ['firewall', 'deletions'] }])

  const direct = await author.call('PUT', rules, { rules: [] })
  expect([direct.status, direct.body.message]).toEqual([
    400,
    'changes of firewall rules need a second person in this silo',
  ])
  expect(direct.body.help).toContain('/ext/v1/saved-plans')
  expect(direct.body.details).toEqual({ four_eyes: 'firewall', is_savable: true })
  const { hash } = (await author.call('PUT', `/ext/v1/plans${rules}`, { rules: [] })).body
  expect((await author.call('PUT', rules, { rules: [] }, { 'if-plan': hash })).status).toBe(400)

  const id = await saved({ method: 'PUT', path: rules, body: '{"rules":[]}' })
  expect((await author.get(at(id))).body.four_eyes).toBe('firewall')
  expect((await author.post(`${at(id)}/check`)).body.why_not).toBe(
    'somebody else than its author commits this plan',
  )
  expect((await commit(id, author, hash)).status).toBe(400)
  expect((await commit(id, member)).status).toBe(200)
  expect((await member.get(rules)).body.rules).toEqual([])

  // Undoing it is a change of firewall rules, too.
  const { items } = (await member.get('/ext/v1/activity?project=atlas&limit=5')).body
  const entry = items.find(
    ({ operation }: { operation: string }) => operation === 'vpc_firewall_rules_update',
  )
  const revert = (await member.get(`/ext/v1/activity/${entry.id}/revert`)).body
  const undone = await member.post(`/ext/v1/activity/${entry.id}/revert`, { hash: revert.hash, keep: [] })
  expect([undone.status, undone.body?.details?.four_eyes]).toEqual([400, 'firewall'])

  // Nor do other ways to delete, which cannot be saved, go past it.
  const { id: disk } = (await member.get('/v1/disks?project=atlas')).body.items[0]
  for (const path of [`/v1/disks/${disk}`, `/ext/v1/objects/${disk}?kind=disk`])
    expect((await member.call('DELETE', path)).body.message).toBe(
      'deletions need a second person in this silo',
    )
  const many = await member.post('/ext/v1/instance-actions?project=atlas', {
    action: 'delete',
    instances: [disk],
  })
  expect(many.body.message).toBe('deletions need a second person in this silo')

  // One person does not drop the demand.
  const dropped = await siloAdmin.call('PUT', '/ext/v1/four-eyes-settings', { kinds: [] })
  expect(dropped.body.message).toBe('changes of this setting need a second person in this silo')
  const drop = await saved(
    { method: 'PUT', path: '/ext/v1/four-eyes-settings', body: '{"kinds":[]}' },
    siloAdmin,
  )
  expect((await commit(drop, admin)).status).toBe(200)
  expect((await member.get('/ext/v1/four-eyes-settings')).body).toEqual({ kinds: [] })
})

test('a deletion of a project with its contents is saved with what goes, and begins when somebody else commits it', async () => {
  await admin.call('PUT', '/ext/v1/four-eyes-settings', { kinds: ['deletions'] })
  const { id: doomed } = (await member.post('/v1/projects', { name: 'doomed', description: '' })).body
  const disk = (name: string) =>
    member.post('/v1/disks?project=doomed', {
      name,
      description: '',
      size: 2 ** 30,
      disk_source: { type: 'blank', block_size: 512 },
    })
  expect((await disk('inside')).status).toBe(201)
  const planNow = async () => (await admin.get(`/ext/v1/deletion-plans/${doomed}?kind=project`)).body
  const request = async () => ({ kind: 'project', object_id: doomed, hash: (await planNow()).hash })
  const alone = await admin.post('/ext/v1/deletions', await request())
  expect([alone.status, alone.body.details]).toEqual([400, { four_eyes: 'deletions', is_savable: true }])

  const savedNow = async () =>
    saved({ method: 'POST', path: '/ext/v1/deletions', body: JSON.stringify(await request()) }, admin)
  const stale = await savedNow()
  const seen = (await member.get(at(stale))).body
  expect(seen).toMatchObject({ operation: 'deletion_create', change_count: 1, four_eyes: 'deletions' })
  expect(seen.plan.changes).toMatchObject([{ kind: 'project', name: 'doomed', action: 'deleted' }])
  expect(seen.plan.deletion.goes).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ kind: 'disk', count: 1 })]),
  )
  expect((await admin.get('/ext/v1/deletions')).body.items).toEqual([])

  // What came into it since no user has agreed to lose.
  expect((await disk('later')).status).toBe(201)
  const moved = (await member.post(`${at(stale)}/check`)).body
  expect([moved.current, moved.why_not]).toEqual([
    null,
    expect.stringContaining('what would be deleted has changed'),
  ])
  expect((await commit(stale, member, seen.plan.hash)).status).toBe(409)
  expect((await member.get('/v1/projects/doomed')).status).toBe(200)

  const id = await savedNow()
  expect((await commit(id, admin, (await member.post(`${at(id)}/check`)).body.current.hash)).status).toBe(400)
  expect((await commit(id, member)).body).toMatchObject({ state: 'committed' })
  await settledJobs(bed)
  expect((await member.get('/v1/projects/doomed')).status).toBe(404)
  expect((await member.get('/ext/v1/deletions')).body.items).toMatchObject([
    { object: { name: 'doomed' }, state: 'done' },
  ])
  const drop = await saved({ method: 'PUT', path: '/ext/v1/four-eyes-settings', body: '{"kinds":[]}' }, admin)
  expect((await commit(drop, await bed.signIn('plan-silo-admin'))).status).toBe(200)
})

test('where deletions need a second person, nobody restores alone or empties the recycle bin', async () => {
  const blank = { type: 'blank', block_size: 512 }
  const size = 2 ** 30
  const disk = { name: 'mourned', description: '', size, disk_source: blank }
  const { id } = (await member.post('/v1/disks?project=atlas', disk)).body
  expect((await member.call('DELETE', `/v1/disks/${id}`)).status).toBe(204)
  await admin.call('PUT', '/ext/v1/four-eyes-settings', { kinds: ['deletions'] })
  const bin = '/ext/v1/recycle-bin?project=atlas'
  const item = (await member.get(bin)).body.items.find(({ name }: { name: string }) => name === 'mourned')
  const restore = `/ext/v1/recycle-bin/${item.id}/restore`
  const alone = await author.post(restore, {})
  expect([alone.status, alone.body.message, alone.body.details]).toEqual([
    400,
    'restoring what was deleted needs a second person in this silo',
    { four_eyes: 'deletions', is_savable: true },
  ])
  for (const path of [bin, `/ext/v1/recycle-bin/${item.id}`])
    expect(await member.call('DELETE', path)).toMatchObject({
      status: 400,
      body: {
        message: 'emptying the recycle bin needs a second person in this silo',
        help: expect.stringContaining('goes when its time ends'),
      },
    })
  const whole = await member.post('/ext/v1/restorations', { deletion_id: crypto.randomUUID() })
  expect([whole.status, whole.body.details]).toEqual([400, { four_eyes: 'deletions', is_savable: true }])

  const plan = await saved({ method: 'POST', path: restore, body: '{}' })
  const seen = (await member.get(at(plan))).body
  expect([seen.four_eyes, seen.plan.changes]).toMatchObject([
    'deletions',
    [{ kind: 'disk', name: 'mourned', action: 'restored' }],
  ])
  const { hash } = (await member.post(`${at(plan)}/check`)).body.current
  expect((await commit(plan, author, hash)).status).toBe(400)
  const stranger = await bed.addUser('plan-stranger', { roles: [] })
  expect((await commit(plan, stranger, hash)).status).toBe(404)
  // Of two who commit it at once, one does.
  const both = await Promise.all([commit(plan, member, hash), commit(plan, admin, hash)])
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  expect((await member.get(`/v1/disks/${id}`)).body.name).toBe('mourned')
  const drop = await saved({ method: 'PUT', path: '/ext/v1/four-eyes-settings', body: '{"kinds":[]}' }, admin)
  expect((await commit(drop, await bed.signIn('plan-silo-admin'))).status).toBe(200)
})

test('what one deletion took is restored by a saved plan, which shows all of it and begins one task', async () => {
  const project = (await member.post('/v1/projects', { name: 'gone', description: '' })).body
  const blank = { type: 'blank', block_size: 512 }
  for (const name of ['first', 'second'])
    await member.post('/v1/disks?project=gone', { name, description: '', size: 2 ** 30, disk_source: blank })
  const { hash: fate } = (await member.get(`/ext/v1/deletion-plans/${project.id}?kind=project`)).body
  const deletion = (
    await member.post('/ext/v1/deletions', { kind: 'project', object_id: project.id, hash: fate })
  ).body
  await eventually(
    async () => {
      bed.pass(500)
      return (await member.get(`/ext/v1/deletions/${deletion.id}`)).body
    },
    ({ state }) => state === 'done',
    20_000,
  )
  await admin.call('PUT', '/ext/v1/four-eyes-settings', { kinds: ['deletions'] })
  const request = { deletion_id: deletion.id, name: 'back' }
  const plan = await saved(
    { method: 'POST', path: '/ext/v1/restorations', body: JSON.stringify(request) },
    member,
  )
  const { plan: shown, four_eyes } = (await admin.get(at(plan))).body
  expect(four_eyes).toBe('deletions')
  const names = shown.changes.map(({ kind, name, action }: ActivityChange) => `${kind} ${name} ${action}`)
  expect(names).toEqual(
    expect.arrayContaining(['project back restored', 'disk first restored', 'disk second restored']),
  )
  expect(shown.change_count).toBe(names.length)
  // Nothing of it stayed: neither the restored objects nor the task.
  expect((await member.get('/v1/projects/back')).status).toBe(404)
  const { hash } = (await admin.post(`${at(plan)}/check`)).body.current
  expect(hash).toBe(shown.hash)
  // Less of it is in the bin: that is another plan. An expired item would do, too, but the bin's sweep takes it.
  const moveSecond = (deletion_id: string) =>
    bed.db.updateTable('recycled').set({ deletion_id }).where('name', '=', 'second').execute()
  await moveSecond(crypto.randomUUID())
  expect((await commit(plan, admin, hash)).status).toBe(409)
  await moveSecond(deletion.id)
  expect((await commit(plan, member, hash)).status).toBe(400)
  expect((await commit(plan, admin, hash)).status).toBe(200)
  await eventually(
    async () => {
      bed.pass(500)
      return (await member.get('/v1/disks?project=back')).body.items ?? []
    },
    (disks: object[]) => disks.length === 2,
    20_000,
  )
  const drop = await saved({ method: 'PUT', path: '/ext/v1/four-eyes-settings', body: '{"kinds":[]}' }, admin)
  expect((await commit(drop, await bed.signIn('plan-silo-admin'))).status).toBe(200)
})

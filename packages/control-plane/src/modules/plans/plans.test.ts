import type { ChangePlan } from '@gantry/api/history/plan'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
  usersChanges,
} from '../../testing/control-plane.ts'
import { furnishProject, made } from '../../testing/hidden-things.ts'
import { planAtRandom } from './random-changes.fixtures.ts'

let bed: TestBed
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  await furnishProject(member, 'atlas')
})
afterAll(() => bed.stop())

const plan = async (method: string, path: string, body?: object, who = member): Promise<ChangePlan> => {
  const answer = await who.call(method, `/ext/v1/plans${path}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const carryOut = (hash: string, method: string, path: string, body?: object, who = member) =>
  who.call(method, path, body, { 'if-plan': hash })

const rules = '/v1/vpc-firewall-rules?project=atlas&vpc=default'
const current = async () => (await member.get(rules)).body.rules as { name: string; priority: number }[]
/** As it is sent. */
const sent = (list: object[]) => ({
  rules: list.map((rule) => {
    const {
      id: _id,
      time_created: _c,
      time_modified: _m,
      vpc_id: _v,
      ...rest
    } = rule as Record<string, unknown>
    return rest
  }),
})
const counts = async () => ({
  changes: await usersChanges(bed),
  audit: (await bed.db.selectFrom('audit').select('id').execute()).length,
  jobs: (await bed.db.selectFrom('job').select('id').execute()).length,
})

test('a plan of an edit of firewall rules says what it does, and does nothing', async () => {
  const list = await current()
  const changed = sent(list.map((rule, index) => (index === 0 ? { ...rule, priority: 7 } : rule)))
  const before = await counts()
  const made = await plan('PUT', rules, changed)
  expect(made.change_count).toBe(1)
  expect(made.changes[0]).toMatchObject({
    kind: 'vpc-firewall-rule',
    name: list[0]?.name,
    action: 'edited',
    differences: [{ field: 'priority', before: list[0]?.priority, after: 7 }],
  })
  expect(await counts()).toEqual(before)
  expect(await current()).toEqual(list)
  // The same question has the same answer.
  expect((await plan('PUT', rules, changed)).hash).toBe(made.hash)

  const done = await carryOut(made.hash, 'PUT', rules, changed)
  expect(done.status, JSON.stringify(done.body)).toBe(200)
  expect((await current()).find(({ name }) => name === list[0]?.name)?.priority).toBe(7)
  const after = await counts()
  expect(after.audit).toBe(before.audit + 1)
})

test('a plan is refused once it would do anything else, with the plan of now', async () => {
  const list = await current()
  const first = sent(list.map((rule, index) => (index === 0 ? { ...rule, priority: 100 } : rule)))
  const seen = await plan('PUT', rules, first)
  await member.call(
    'PUT',
    rules,
    sent(list.map((rule, index) => (index === 1 ? { ...rule, priority: 200 } : rule))),
  )
  const refused = await carryOut(seen.hash, 'PUT', rules, first)
  expect([refused.status, refused.body.message]).toEqual([409, 'what this would do has changed'])
  // It would take back the edit of the other one too, which the plan did not show.
  expect(refused.body.details.plan.change_count).toBe(2)
  expect((await carryOut(refused.body.details.plan.hash, 'PUT', rules, first)).status).toBe(200)
  // What does not matter to it leaves the plan as it was.
  const disk = '/v1/snapshots/the-snapshot?project=atlas'
  const gone = await plan('DELETE', disk)
  await member.call('PUT', '/v1/projects/atlas', { description: 'another' })
  expect((await plan('DELETE', disk)).hash).toBe(gone.hash)
})

test('a plan is refused as the request itself, by its rules and to those who may not send it', async () => {
  const viewer = await bed.signIn('viewer')
  const asked = '/ext/v1/plans/v1/projects/atlas'
  expect((await viewer.call('PUT', asked, { description: 'x' })).status).toBe(403)
  expect((await bed.anonymous.call('PUT', asked, { description: 'x' })).status).toBe(401)
  expect((await member.call('PUT', '/ext/v1/plans/v1/projects/never', { description: 'x' })).status).toBe(404)
  expect((await member.call('PUT', asked, { name: 'Not A Name' })).status).toBe(400)
  const full = await member.call('DELETE', asked)
  expect([full.status, full.body.message]).toEqual([
    400,
    expect.stringContaining('project to be deleted contains'),
  ])
  expect((await member.call('GET', '/ext/v1/plans/v1/projects/atlas')).status).toBe(400)
  const password = await member.post('/ext/v1/plans/ext/v1/me/password', {})
  expect(password.status).toBeGreaterThanOrEqual(400)
  const image = await member.post('/ext/v1/plans/v1/images?project=atlas', {
    name: 'x',
    description: '',
    os: 'x',
    version: '1',
    source: { type: 'you_can_boot_anything_as_long_as_its_alpine' },
  })
  expect([image.status, image.body.message]).toEqual([400, 'this operation cannot be planned'])
})

test('a plan says which instances stop or start, and what the silo uses more', async () => {
  const id = await made(member, '/v1/instances?project=atlas', {
    name: 'planned',
    description: '',
    ncpus: 2,
    memory: 2 ** 30,
    hostname: 'planned',
    start: false,
    network_interfaces: { type: 'none' },
  })
  const start = await plan('POST', `/v1/instances/${id}/start`)
  expect(start.restarts).toEqual([{ id, name: 'planned', from: 'stopped', to: 'starting' }])
  expect(start.quota).toEqual({ cpus: 2, memory: 2 ** 30, storage: 0 })
  expect((await member.get(`/v1/instances/${id}`)).body.run_state).toBe('stopped')
  const started = await carryOut(start.hash, 'POST', `/v1/instances/${id}/start`)
  expect(started.status, JSON.stringify(started.body)).toBe(202)
  await eventually(
    async () => (await member.get(`/v1/instances/${id}`)).body.run_state,
    (state) => state === 'running',
  )
})

test('a plan of roles names who loses access, and the edition of a stale policy is refused', async () => {
  const project = (await member.get('/v1/projects/atlas')).body.id
  const friend = await bed.addUser('plan-friend', { roles: [{ at: { project }, role: 'viewer' }] })
  const { hash, people, changes } = await plan('PUT', '/v1/projects/atlas/policy', { role_assignments: [] })
  expect(people).toContainEqual({
    type: 'silo_user',
    id: friend.id,
    name: 'plan-friend',
    before: ['viewer'],
    after: [],
  })
  expect(changes[0]?.kind).toBe('policy')
  expect((await friend.get('/v1/projects/atlas')).status).toBe(200)
  expect((await carryOut(hash, 'PUT', '/v1/projects/atlas/policy', { role_assignments: [] })).status).toBe(
    200,
  )
  expect((await friend.get('/v1/projects/atlas')).status).toBe(404)
})

test('a plan of a group role names the members who gain or lose access by it, and not those who have another role', async () => {
  const ids: Record<string, string> = {}
  for (const kind of ['users', 'groups'])
    for (const { id, display_name } of (await member.get(`/v1/${kind}`)).body.items) ids[display_name] = id
  // Of the engineers, omar is a viewer of the silo by another group.
  const group = ids.engineers ?? ''
  const policy = (await member.get('/v1/projects/atlas/policy')).body.role_assignments as object[]
  const given = [...policy, { identity_type: 'silo_group', identity_id: group, role_name: 'viewer' }]
  const path = '/v1/projects/atlas/policy'
  const gain = await plan('PUT', path, { role_assignments: given })
  expect(gain.people).toMatchObject([{ id: group, before: [], after: ['viewer'] }])
  expect(gain.access).toEqual({
    users: [{ id: ids.ines, name: 'ines', before: null, after: 'viewer' }],
    count: 1,
    examined: 2,
  })
  expect((await carryOut(gain.hash, 'PUT', path, { role_assignments: given })).status).toBe(200)
  const loss = await plan('PUT', path, { role_assignments: policy })
  expect(loss.access.users).toEqual([{ id: ids.ines, name: 'ines', before: 'viewer', after: null }])
})

test('a plan of what is created has the same hash each time, whatever ids and addresses are drawn', async () => {
  const body = { name: 'drawn', description: '', dns_name: 'drawn' }
  const first = await plan('POST', '/v1/vpcs?project=atlas', body)
  expect((await plan('POST', '/v1/vpcs?project=atlas', body)).hash).toBe(first.hash)
  expect(first.changes[0]).toMatchObject({ kind: 'vpc', name: 'drawn', action: 'created' })
  expect(first.changes[0]?.differences).toContainEqual({ field: 'dns_name', before: null, after: 'drawn' })
  const fields = first.changes.flatMap(({ differences }) => differences.map(({ field }) => field))
  expect(fields.filter((field) => field === 'id' || field === 'name' || field === 'project')).toEqual([])
  expect((await carryOut(first.hash, 'POST', '/v1/vpcs?project=atlas', body)).status).toBe(201)
})

test('a plan says what then happens, and refuses what is then refused', async () => {
  const idle = await testControlPlane({ idle: true })
  try {
    expect(await planAtRandom(idle, 150, 1)).toBeGreaterThan(30)
  } finally {
    await idle.stop()
  }
})

test('a plan of firewall rules and routes names the packets whose verdict changes', async () => {
  await made(member, '/v1/projects', { name: 'wired', description: '' })
  for (const name of ['db', 'web'])
    await made(member, '/v1/instances?project=wired', {
      name,
      description: '',
      ncpus: 1,
      memory: 2 ** 30,
      hostname: name,
      start: false,
      external_ips: [{ type: 'ephemeral' }],
    })
  const path = '/v1/vpc-firewall-rules?project=wired&vpc=default'
  const { rules: list } = (await member.get(path)).body
  const closed = await plan(
    'PUT',
    path,
    sent(list.filter(({ name }: { name: string }) => name !== 'allow-ssh')),
  )
  const ssh = closed.packets.changed.filter(({ packet }) => packet === 'TCP 22')
  expect(ssh.map(({ from, to, was, is }) => [from?.name ?? null, to?.name ?? null, was, is])).toEqual([
    [null, 'db', true, false],
    [null, 'web', true, false],
  ])
  expect(closed.packets.tried).toBeGreaterThan(closed.packets.changed.length)
  // Nothing that is tried changes where only a description does.
  const same = await plan('PUT', path, sent(list.map((rule: object) => ({ ...rule, description: 'other' }))))
  expect(same.packets.changed).toEqual([])
  const routes = '/v1/vpc-router-routes?project=wired&vpc=default&router=aside'
  await made(member, '/v1/vpc-routers?project=wired&vpc=default', { name: 'aside', description: '' })
  const subnet = '/v1/vpc-subnets/default?project=wired&vpc=default'
  expect((await member.call('PUT', subnet, { custom_router: 'aside' })).status).toBe(200)
  const dropped = await plan('POST', routes, {
    name: 'nowhere',
    description: '',
    destination: { type: 'ip_net', value: '0.0.0.0/0' },
    target: { type: 'drop' },
  })
  expect(dropped.packets.changed.length).toBeGreaterThan(0)
  expect(dropped.packets.changed.every(({ was, is }) => was && !is)).toBe(true)
})

import { affinityFamilies, affinityLimits, joinProblems } from '@gantry/api/compute/affinity.rules'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  eventually,
  said,
  type TestBed,
  testControlPlane,
} from '../../testing/control-plane.ts'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
let viewer: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
})
afterAll(() => bed.stop())

const at = (path: string): string => `/v1/${path}?project=playground`
let count = 0
/** A fresh name. */
const fresh = (word: string): string => `${word}-${++count}`

async function create(name = fresh('vm'), more: object = {}): Promise<Answer> {
  const machine = { name, description: '', ncpus: 1, memory: GiB, hostname: name, start: false, ...more }
  const made = await me.post(at('instances'), machine)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made
}
const start = (name: string) => me.post(at(`instances/${name}/start`))
async function stop(name: string): Promise<void> {
  await me.post(at(`instances/${name}/stop`))
  bed.pass(10_000)
  await eventually(
    () => me.get(at(`instances/${name}`)),
    ({ body }) => body.run_state === 'stopped',
  )
}
async function sledOf(name: string): Promise<string | undefined> {
  const vmm = await bed.db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.vmm_id', 'vmm.id')
    .select('vmm.sled_id')
    .where('instance.name', '=', name)
    .executeTakeFirst()
  return vmm?.sled_id
}
const names = ({ body }: Answer): string[] => body.items.map((item: { name: string }) => item.name)

describe.each(affinityFamilies)('%s groups', (family) => {
  const base = `${family}-groups`
  const make = async (policy = 'allow', name = fresh('group')): Promise<string> => {
    const body = { name, description: '', policy, failure_domain: 'sled' }
    expect(said(await me.post(at(base), body))).toBe('201')
    return name
  }
  const member = (group: string, instance: string) => at(`${base}/${group}/members/instance/${instance}`)
  const add = (group: string, instance: string) => me.post(member(group, instance))
  const members = (group: string) => me.get(at(`${base}/${group}/members`))

  test('can be created, found, renamed and deleted', async () => {
    const body = { name: `${family}-life`, description: 'first', policy: 'fail', failure_domain: 'sled' }
    const made = await me.post(at(base), body)
    expect(made.status).toBe(201)
    const { id, project_id } = made.body
    expect(made.body).toMatchObject({ ...body, project_id })
    expect((await viewer.get(`/v1/${base}/${id}`)).body).toEqual(made.body)
    expect(names(await viewer.get(at(base)))).toContain(body.name)
    expect(said(await me.post(at(base), body))).toBe(`400 already exists: ${family}-group "${body.name}"`)

    const put = (more: object, etag?: string) =>
      me.call('PUT', `/v1/${base}/${id}`, more, etag ? { 'if-match': etag } : {})
    const renamed = await put({ name: `${family}-renamed` }, made.headers.get('etag') ?? '')
    expect(renamed.body).toMatchObject({ name: `${family}-renamed`, description: 'first', policy: 'fail' })
    expect(renamed.body.time_modified > made.body.time_modified).toBe(true)
    // Immutable fields are ignored.
    expect((await put({ description: 'second', policy: 'allow' })).body).toMatchObject({ policy: 'fail' })
    expect((await put({ description: 'third' }, made.headers.get('etag') ?? '')).status).toBe(412)
    const other = await make()
    expect(said(await put({ name: other }))).toBe(`400 already exists: ${family}-group "${other}"`)

    expect(said(await me.call('DELETE', `/v1/${base}/${id}`))).toBe('204')
    expect(said(await me.get(`/v1/${base}/${id}`))).toBe(`404 not found: ${family}-group with id "${id}"`)
    expect(said(await me.post(at(base), { ...body, name: `${family}-renamed` }))).toBe('201')
  })

  test.each([
    [{ policy: 'maybe' }, 'policy: unknown variant `maybe`, expected `allow` or `fail`'],
    [{ failure_domain: 'rack' }, 'failure_domain: unknown variant `rack`, expected one of `sled`'],
    [{ policy: undefined }, 'missing field `policy`'],
    [{ failure_domain: undefined }, 'missing field `failure_domain`'],
  ])('are refused with %j', async (more, message) => {
    const body = { name: 'bad', description: '', policy: 'allow', failure_domain: 'sled', ...more }
    expect(said(await me.post(at(base), body))).toContain(`400 unable to parse JSON body: ${message}`)
  })

  test('accept, list and remove members', async () => {
    const group = await make()
    const [b, a] = [(await create(fresh('b'))).body, (await create(fresh('a'))).body]
    const added = await add(group, b.name)
    const value = { id: b.id, name: b.name, run_state: 'stopped' }
    expect([added.status, added.body]).toEqual([201, { type: 'instance', value }])
    expect((await viewer.get(member(group, b.name))).body).toEqual(added.body)
    expect(said(await me.get(member(group, a.name)))).toBe(
      `404 not found: ${family}-group-member with id "${a.id}"`,
    )
    const { id } = (await me.get(at(`${base}/${group}`))).body
    expect((await me.post(`/v1/${base}/${id}/members/instance/${a.id}`)).status).toBe(201)
    const listed = (await members(group)).body.items.map(
      (item: { value: { name: string } }) => item.value.name,
    )
    expect(listed).toEqual([a.name, b.name])
    expect(names(await viewer.get(at(`instances/${a.name}/${base}`)))).toEqual([group])
    const again = await add(group, a.name)
    expect(said(again)).toBe(`400 already exists: ${family}-group-member "${a.id}"`)
    expect(again.body.help).toBe(`${a.name} is already a member of ${group}.`)

    expect(said(await me.call('DELETE', member(group, a.name)))).toBe('204')
    expect(said(await me.call('DELETE', member(group, a.name)))).toBe(
      `404 not found: ${family}-group-member with id "${a.id}"`,
    )
    expect(names(await me.get(at(`instances/${a.name}/${base}`)))).toEqual([])
    // Two names with a project, or two ids without.
    expect(said(await me.post(`/v1/${base}/${id}/members/instance/${a.id}?project=playground`))).toMatch(
      /^400 when providing .*affinity_group as an ID, project should not be specified$/,
    )
    expect(said(await me.post(member(group, 'nobody')))).toBe('404 not found: instance with name "nobody"')
  })

  test('need permission to change the project, and are hidden from callers who may not see it', async () => {
    const group = await make()
    const { name } = (await create()).body
    for (const answer of [
      await viewer.post(member(group, name)),
      await viewer.call('DELETE', member(group, name)),
      await viewer.call('DELETE', at(`${base}/${group}`)),
      await viewer.call('PUT', at(`${base}/${group}`), { description: 'mine' }),
    ])
      expect(said(answer)).toBe('403 Forbidden')
    const stranger = await bed.addUser(fresh('stranger'))
    expect(said(await stranger.get(at(`${base}/${group}/members`)))).toMatch(/^404 /)
    expect(said(await stranger.post(member(group, name)))).toMatch(/^404 /)
    expect((await members(group)).body.items).toEqual([])
  })

  test('stay within their project', async () => {
    const project = fresh('elsewhere')
    await me.post('/v1/projects', { name: project, description: '' })
    const body = { name: 'far', description: '', policy: 'allow', failure_domain: 'sled' }
    const far = (await me.post(`/v1/${base}?project=${project}`, body)).body
    const { id } = (await create()).body
    expect(said(await me.post(`/v1/${base}/${far.id}/members/instance/${id}`))).toBe(
      `400 instance must be in the same project as the ${family} group`,
    )
  })

  test('refuse an instance that is placed on a sled, and let any instance leave', async () => {
    const group = await make()
    const { name } = (await create()).body
    await start(name)
    expect(said(await add(group, name))).toBe(`400 ${joinProblems.hasReservation(family)}`)
    await stop(name)
    expect(said(await add(group, name))).toBe('201')
    await start(name)
    const sled = await sledOf(name)
    expect(said(await me.call('DELETE', member(group, name)))).toBe('204')
    expect(await sledOf(name)).toBe(sled)
    await stop(name)
  })

  test('accept failed instances', async () => {
    const group = await make()
    // More memory than any sled has, and less than the quota.
    await bed.db
      .updateTable('silo_quotas')
      .set({ memory: 4096 * GiB })
      .execute()
    const { name, run_state } = (await create(undefined, { start: true, memory: 1536 * GiB })).body
    expect(run_state).toBe('failed')
    expect((await add(group, name)).body.value.run_state).toBe('failed')
  })

  test('hold 32 members, and of two who want the last place one gets it', async () => {
    const group = await make()
    const { id } = (await me.get(at(`${base}/${group}`))).body
    const fill = Array.from({ length: affinityLimits.membersPerGroup - 1 }, () => ({
      group_id: id,
      instance_id: crypto.randomUUID(),
    }))
    const table = family === 'affinity' ? ('affinity_member' as const) : ('anti_affinity_member' as const)
    await bed.db.insertInto(table).values(fill).execute()
    const rivals = [await create(), await create(), await create()]
    const answers = await Promise.all(rivals.map(({ body }) => add(group, body.name)))
    expect(answers.map(said).sort()).toEqual([
      '201',
      `400 ${joinProblems.groupFull(family)}`,
      `400 ${joinProblems.groupFull(family)}`,
    ])
    expect((await members(group)).body.items).toHaveLength(1)
  })

  test('at most 16 per instance, under concurrency too', async () => {
    const { name } = (await create()).body
    const groups: string[] = []
    for (let n = 0; n < affinityLimits.groupsPerInstance + 2; n++) groups.push(await make())
    const answers = await Promise.all(groups.map((group) => add(group, name)))
    expect(answers.map(said).sort()).toEqual([
      ...Array.from({ length: affinityLimits.groupsPerInstance }, () => '201'),
      `400 ${joinProblems.tooManyGroups(family)}`,
      `400 ${joinProblems.tooManyGroups(family)}`,
    ])
  })

  test('an instance joins while stopped, or starts alone: never half of each', async () => {
    const group = await make()
    const { name } = (await create()).body
    const [added, started] = await Promise.all([add(group, name), start(name)])
    expect(started.status).toBe(202)
    const joined = (await members(group)).body.items.length
    expect([said(added), joined]).toEqual(
      joined === 1 ? ['201', 1] : [`400 ${joinProblems.hasReservation(family)}`, 0],
    )
    await stop(name)
  })

  test('a deleted instance leaves its groups, and a deleted group leaves its members untouched', async () => {
    const [one, two] = [await make(), await make()]
    const [gone, stays] = [(await create()).body.name, (await create()).body.name]
    const stream = await bed.follow(me)
    for (const name of [gone, stays]) for (const group of [one, two]) await add(group, name)
    expect((await me.call('DELETE', at(`instances/${gone}`))).status).toBe(204)
    expect((await members(one)).body.items).toHaveLength(1)
    // Listeners learn of four joins, and of two departures.
    await eventually(
      async () => stream.events.filter(({ data }) => data.kind === `${family}-group-member`).length,
      (heard) => heard === 6,
    )
    stream.close()
    expect((await me.call('DELETE', at(`${base}/${one}`))).status).toBe(204)
    expect(names(await me.get(at(`instances/${stays}/${base}`)))).toEqual([two])
  })

  test('keep their project from being deleted', async () => {
    const admin = await bed.signIn('admin')
    const project = fresh('project')
    await admin.post('/v1/projects', { name: project, description: '' })
    await admin.call('DELETE', `/v1/vpc-subnets/default?project=${project}&vpc=default`)
    await admin.call('DELETE', `/v1/vpcs/default?project=${project}`)
    const body = { name: 'last', description: '', policy: 'allow', failure_domain: 'sled' }
    await admin.post(`/v1/${base}?project=${project}`, body)
    expect(said(await admin.call('DELETE', `/v1/projects/${project}`))).toBe(
      `400 project to be deleted contains an ${family.replace('-', ' ')} group: last`,
    )
    await admin.call('DELETE', `/v1/${base}/last?project=${project}`)
    expect(said(await admin.call('DELETE', `/v1/projects/${project}`))).toBe('204')
  })
})

test.each(affinityFamilies)(
  'the members of all %s groups of a project are counted in one request',
  async (family) => {
    const project = fresh('counted')
    await me.post('/v1/projects', { name: project, description: '' })
    const here = (path: string): string => `/v1/${path}?project=${project}`
    const group = { description: '', policy: 'allow', failure_domain: 'sled' }
    const [pair, single] = await Promise.all(
      ['pair', 'single', 'nobody'].map(
        async (name) => (await me.post(here(`${family}-groups`), { ...group, name })).body.id,
      ),
    )
    const machine = { description: '', ncpus: 1, memory: GiB, hostname: 'x', start: false }
    for (const [name, groups] of [
      ['one', ['pair', 'single']],
      ['two', ['pair']],
    ] as const) {
      await me.post(here('instances'), { ...machine, name })
      for (const each of groups) await me.post(here(`${family}-groups/${each}/members/instance/${name}`))
    }

    const sizes = async (): Promise<Record<string, number>> => {
      const { body } = await me.get(`/ext/v1/${family}-group-sizes?project=${project}`)
      return Object.fromEntries(
        body.items.map((item: { group_id: string; members: number }) => [item.group_id, item.members]),
      )
    }
    expect(await sizes()).toEqual({ [pair]: 2, [single]: 1 })
    // Deleting an instance deletes its memberships.
    await me.call('DELETE', here('instances/one'))
    expect(await sizes()).toEqual({ [pair]: 1 })
  },
)

describe('placement', () => {
  const group = async (
    family: 'affinity' | 'anti-affinity',
    policy: 'allow' | 'fail',
    ...instances: string[]
  ) => {
    const name = fresh('placed')
    await me.post(at(`${family}-groups`), { name, description: '', policy, failure_domain: 'sled' })
    for (const instance of instances)
      expect(said(await me.post(at(`${family}-groups/${name}/members/instance/${instance}`)))).toBe('201')
    return name
  }
  const make = async (howMany: number, more: object = {}): Promise<string[]> => {
    const made: string[] = []
    for (let n = 0; n < howMany; n++) made.push((await create(undefined, more)).body.name)
    return made
  }
  beforeEach(async () => {
    const { items } = (await me.get(`${at('instances')}&limit=1000`)).body
    for (const { name } of items) await me.post(at(`instances/${name}/stop`))
    bed.pass(20_000)
    await eventually(
      () => bed.db.selectFrom('vmm').select('id').where('time_gone', 'is', null).execute(),
      (left) => left.length === 0,
    )
  })

  test('members of an affinity group share a sled, even if others are emptier', async () => {
    for (const policy of ['fail', 'allow'] as const) {
      const all = await make(3, { memory: 4 * GiB })
      await group('affinity', policy, ...all)
      for (const name of all) expect(said(await start(name))).toBe('202')
      expect(new Set(await Promise.all(all.map(sledOf))).size).toBe(1)
    }
  })

  test('members of an anti-affinity group are on different sleds, even when they start concurrently', async () => {
    const all = await make(9)
    await group('anti-affinity', 'fail', ...all)
    const answers = await Promise.all(all.map(start))
    const started = all.filter((_, index) => answers[index]?.status === 202)
    expect(started).toHaveLength(8)
    expect(new Set(await Promise.all(started.map(sledOf))).size).toBe(8)
    const refused = answers.find(({ status }) => status !== 202)
    expect(refused && said(refused)).toBe(
      '507 Insufficient capacity: Failed to place instance: Could not find any valid sled on which this instance can be placed',
    )
    expect(refused?.body.details.sleds).toEqual([
      { count: 8, reason: 'holds another member of an anti-affinity group' },
    ])
  })

  test('with policy allow they are separated while sleds are available', async () => {
    const all = await make(9)
    await group('anti-affinity', 'allow', ...all)
    expect((await Promise.all(all.map(start))).map(said)).toEqual(all.map(() => '202'))
    expect(new Set(await Promise.all(all.map(sledOf))).size).toBe(8)
  })

  test("contradictory group requirements for a sled are the caller's error", async () => {
    const [left = '', right = '', middle = ''] = await make(3)
    await group('anti-affinity', 'fail', left, right)
    await start(left)
    await start(right)
    expect(await sledOf(left)).not.toBe(await sledOf(right))
    const affine = '400 Failed to place instance: This instance belongs to an affinity group that requires it'
    await stop(left)
    await stop(right)
    const toLeft = await group('affinity', 'fail', left, middle)
    await group('affinity', 'fail', right, middle)
    await start(left)
    await start(right)
    const torn = await start(middle)
    expect(said(torn)).toBe(`${affine} be placed on more than one sled`)
    expect(torn.body.help).toBe('Remove it from one of the groups.')
    expect(torn.body.details.sleds).toEqual([{ count: 8, reason: 'an affinity group requires another sled' }])

    await me.call('DELETE', at(`affinity-groups/${toLeft}/members/instance/${middle}`))
    await stop(right)
    await group('anti-affinity', 'fail', right, middle)
    await start(right)
    const contradiction = await start(middle)
    expect(said(contradiction)).toBe(`${affine} to be placed on a sled that its anti-affinity group forbids`)
    // Nothing was reserved for it.
    expect(await sledOf(middle)).toBe(undefined)
  })

  test('a full required sled is a lack of capacity, explained by the reasons of the sleds', async () => {
    const sled = await bed.db.selectFrom('sled').selectAll().executeTakeFirstOrThrow()
    const [anchor = ''] = await make(1)
    const [heavy = ''] = await make(1, { memory: sled.reservoir_size })
    await group('affinity', 'fail', anchor, heavy)
    await start(anchor)
    const refused = await start(heavy)
    expect(said(refused)).toBe(
      '507 Insufficient capacity: Failed to place instance: This instance belongs to an affinity group that requires it to be placed on a sled that cannot take it',
    )
    expect(refused.body.details.sleds).toEqual([
      { count: 7, reason: 'an affinity group requires another sled' },
      { count: 1, reason: 'not enough free memory' },
    ])
  })
})

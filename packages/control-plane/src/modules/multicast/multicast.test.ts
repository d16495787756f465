import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatedFleet } from '../../fleet/simulated/fleet.ts'
import { eventually, type Caller, said, testControlPlane, type TestBed } from '../../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
let member: Caller
let count = 0
const fresh = (word: string) => `${word}-${++count}`

const call = (who: Caller, method: string, path: string, body?: unknown, version = newestVersionText) =>
  who.call(method, path, body, { [versionHeader]: version })
const pools = '/v1/system/ip-pools'

async function addPool(ranges: readonly (readonly [string, string])[], more: object = {}, isDefault = false) {
  const name = fresh('pool')
  const body = { name, description: '', pool_type: 'multicast', ip_version: 'v4', ...more }
  expect(said(await call(operator, 'POST', pools, body))).toBe('201')
  for (const [first, last] of ranges)
    expect(said(await operator.post(`${pools}/${name}/ranges/add`, { first, last }))).toBe('201')
  const link = { silo: 'demo', is_default: isDefault }
  expect(said(await operator.post(`${pools}/${name}/silos`, link))).toBe('201')
  return name
}

const at = (path: string) => `${path}${path.includes('?') ? '&' : '?'}project=playground`
async function addInstance(more: object = {}, who = member) {
  const name = fresh('web')
  const body = { name, description: '', hostname: name, ncpus: 1, memory: 2 ** 30, start: false, ...more }
  return { name, answer: await call(who, 'POST', at('/v1/instances'), body) }
}
const newInstance = async () => (await addInstance()).name
const of = (instance: string, group = '') =>
  at(`/v1/instances/${instance}/multicast-groups${group && `/${group}`}`)
const join = (instance: string, group: string, body: object = {}) =>
  call(member, 'PUT', of(instance, group), body)
const leave = (instance: string, group: string) => call(member, 'DELETE', of(instance, group))
const groupsOf = async (instance: string): Promise<string[]> =>
  (await call(member, 'GET', of(instance))).body.items.map(({ name }: { name: string }) => name).sort()
const view = (group: string, version?: string) =>
  call(member, 'GET', `/v1/multicast-groups/${group}`, undefined, version)

beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  await addPool([['224.1.1.1', '224.1.1.3']], {}, true)
  await addPool([['232.1.1.1', '232.1.1.2']])
})
afterAll(() => bed.stop())

describe('a group', () => {
  test('comes with its first member, and goes with its last', async () => {
    const [one, two] = [await newInstance(), await newInstance()]
    const joined = await join(one, 'news')
    expect(joined).toMatchObject({
      status: 201,
      body: { name: 'news', multicast_ip: '224.1.1.1', source_ips: [], state: 'Left' },
    })
    const { body: group } = await view('news')
    expect(group).toMatchObject({
      id: joined.body.multicast_group_id,
      multicast_ip: '224.1.1.1',
      source_ips: [],
      has_any_source_member: true,
      state: 'Active',
    })
    expect((await join(two, '224.1.1.1', { source_ips: ['10.0.0.9', '10.0.0.1'] })).status).toBe(201)
    expect((await view(group.id)).body).toMatchObject({
      source_ips: ['10.0.0.1', '10.0.0.9'],
      has_any_source_member: true,
    })
    const members = await call(member, 'GET', '/v1/multicast-groups/224.1.1.1/members?limit=1')
    expect(members.body.items).toHaveLength(1)
    const rest = `/v1/multicast-groups/news/members?page_token=${members.body.next_page}`
    expect((await call(member, 'GET', rest)).body.items).toHaveLength(1)
    const listed = await call(member, 'GET', '/v1/multicast-groups?sort_by=name_descending')
    expect(listed.body.items.map(({ id }: { id: string }) => id)).toContain(group.id)

    expect(said(await leave(one, 'news'))).toBe('204')
    expect((await view('news')).body.has_any_source_member).toBe(false)
    // Not a member any more, which is no mistake.
    expect(said(await leave(one, 'news'))).toBe('204')
    expect(said(await leave(two, group.id))).toBe('204')
    expect(said(await view('news'))).toBe('404 not found: multicast-group with name "news"')
    expect(said(await leave(two, 'news'))).toBe('404 not found: multicast-group with name "news"')
    // Its name and its address are free at once.
    expect((await join(one, 'news')).body.multicast_ip).toBe('224.1.1.1')
    await leave(one, 'news')
  })

  test('known by its address is named after it', async () => {
    const web = await newInstance()
    expect((await join(web, '224.1.1.2')).body).toMatchObject({ name: 'mcast-224-1-1-2' })
    expect(await groupsOf(web)).toEqual(['mcast-224-1-1-2'])
    await leave(web, 'mcast-224-1-1-2')
  })

  test.each([
    ['224.9.9.9', {}, '400 the multicast address 224.9.9.9 is in no pool of this silo'],
    ['10.0.0.1', {}, '400 the multicast address 10.0.0.1 is in no pool of this silo'],
    ['7c9e6679-7425-40de-944b-e07fc1f90ae7', {}, /^404 not found: multicast-group with id/],
    ['Upper', {}, /^400 /],
    ['232.1.1.1', {}, '400 the multicast group 232.1.1.1 is source-specific, and no source is named'],
    ['v6s', { source_ips: ['fd00::1'] }, /^507|^400/],
    [
      '224.1.1.1',
      { source_ips: ['fd00::1'] },
      '400 the sources of the multicast group 224.1.1.1 are addresses of IPv4',
    ],
    ['loop', { source_ips: ['127.0.0.1'] }, /No single machine sends from this address/],
    ['many', { source_ips: Array.from({ length: 65 }, (_, n) => `10.0.0.${n}`) }, /^400 /],
    ['none', { ip_version: 'v6' }, /^507/],
  ])('%s with %j is refused', async (group, body, message) => {
    const web = await newInstance()
    expect(said(await join(web, group, body))).toMatch(
      typeof message === 'string' ? new RegExp(`^${message.replaceAll('.', '\\.')}$`) : message,
    )
    expect(await groupsOf(web)).toEqual([])
  })

  test('whose members name sources has a source-specific address while one is free', async () => {
    const web = await newInstance()
    const sources = { source_ips: ['10.0.0.1'] }
    expect((await join(web, 'first', sources)).body.multicast_ip).toBe('232.1.1.1')
    expect((await join(web, 'second', sources)).body.multicast_ip).toBe('232.1.1.2')
    expect((await join(web, 'third', sources)).body.multicast_ip).toBe('224.1.1.1')
    // Each request to join a source-specific group names sources.
    expect(said(await join(web, 'first'))).toContain('is source-specific')
    // A repeated one keeps, clears or replaces them.
    expect((await join(web, 'third')).body.source_ips).toEqual(['10.0.0.1'])
    expect((await join(web, 'third', { source_ips: [] })).body.source_ips).toEqual([])
    expect((await join(web, 'third', { source_ips: ['10.0.0.3', '10.0.0.3'] })).body.source_ips).toEqual([
      '10.0.0.3',
    ])
    for (const name of ['fourth', 'fifth']) expect((await join(web, name)).status).toBe(201)
    const full = await join(web, 'sixth')
    expect([full.status, full.body.message]).toEqual([
      507,
      'Insufficient capacity: no multicast address is free in the pools of this silo',
    ])
    expect(said(await call(member, 'DELETE', at(`/v1/instances/${web}`)))).toBe('204')
    expect((await call(member, 'GET', '/v1/multicast-groups')).body.items).toEqual([])
  })

  test('is told to versions that gave it a VLAN', async () => {
    const web = await newInstance()
    await join(web, 'old')
    for (const version of ['2025112000.0.0', '2026010800.0.0']) {
      const { body } = await view('old', version)
      expect(body).toMatchObject({ name: 'old', mvlan: null })
      expect(body).not.toHaveProperty('has_any_source_member')
    }
    await leave(web, 'old')
  })

  test('is looked up by its address in versions that had an operation for that', async () => {
    const web = await newInstance()
    const { multicast_ip: ip } = (await join(web, 'found')).body
    const lookUp = (version: string) =>
      call(member, 'GET', `/v1/system/multicast-groups/by-ip/${ip}`, undefined, version)
    expect((await lookUp('2025112000.0.0')).body).toMatchObject({ name: 'found', mvlan: null })
    expect((await lookUp('2026010800.0.0')).status).toBe(404)
    await leave(web, 'found')
  })

  test.each([
    ['POST', '/v1/multicast-groups', 405],
    ['PUT', '/v1/multicast-groups/news', 405],
    ['DELETE', '/v1/multicast-groups/news', 405],
    ['POST', '/v1/multicast-groups/news/members', 405],
    ['DELETE', '/v1/multicast-groups/news/members/web', 404],
  ])('was managed by %s %s, which says what does so now', async (method, path, later) => {
    const before = await call(member, method, path, undefined, '2026010500.0.0')
    expect(before.status).toBe(410)
    expect(before.body.message).toMatch(/^This operation has ended/)
    expect(JSON.stringify(before.body)).toMatch(
      /(PUT|DELETE) \/v1\/instances\/\{instance\}\/multicast-groups/,
    )
    expect(before.body).not.toHaveProperty('error_code')
    expect((await call(member, method, path)).status).toBe(later)
  })
})

describe('an instance', () => {
  const names = (...groups: string[]) => groups.map((group) => ({ group }))
  const update = (name: string, multicast_groups: unknown) =>
    call(member, 'PUT', at(`/v1/instances/${name}`), {
      ncpus: 1,
      memory: 2 ** 30,
      boot_disk: null,
      auto_restart_policy: null,
      cpu_platform: null,
      enable_jumbo_frames: false,
      multicast_groups,
    })

  test('is created in groups, and its groups are set as a whole', async () => {
    const { name, answer } = await addInstance({ multicast_groups: names('a', '224.1.1.3') })
    expect(answer.status).toBe(201)
    expect(await groupsOf(name)).toEqual(['a', 'mcast-224-1-1-3'])
    for (const same of [null, undefined]) {
      expect((await update(name, same)).status).toBe(200)
      expect(await groupsOf(name)).toEqual(['a', 'mcast-224-1-1-3'])
    }
    expect((await update(name, [{ group: 'a', source_ips: ['10.0.0.1'] }, { group: 'b' }])).status).toBe(200)
    expect(await groupsOf(name)).toEqual(['a', 'b'])
    // A membership that stays is not touched.
    expect((await view('a')).body.source_ips).toEqual([])
    expect(said(await update(name, names('a', 'a')))).toBe('400 multicast groups are named more than once')
    const { multicast_ip } = (await view('b')).body
    expect(said(await update(name, names('b', multicast_ip)))).toBe(
      '400 multicast groups are named more than once',
    )
    // What is refused leaves everything as it was.
    expect((await update(name, names('c', '10.0.0.1'))).status).toBe(400)
    expect(await groupsOf(name)).toEqual(['a', 'b'])
    expect((await update(name, [])).status).toBe(200)
    expect(await groupsOf(name)).toEqual([])
  })

  test('is not created where one of its groups cannot be joined', async () => {
    const { name, answer } = await addInstance({ multicast_groups: names('fine', '10.0.0.1') })
    expect(answer.status).toBe(400)
    expect((await call(member, 'GET', at(`/v1/instances/${name}`))).status).toBe(404)
    expect((await view('fine')).status).toBe(404)
    const many = names(...Array.from({ length: 33 }, (_, n) => `g${n}`))
    expect(said((await addInstance({ multicast_groups: many })).answer)).toBe(
      '400 an instance may be a member of at most 32 multicast groups',
    )
  })

  test('hears its groups while it runs', async () => {
    const { name } = await addInstance({ start: true, multicast_groups: names('live') })
    const state = async () => (await call(member, 'GET', of(name))).body.items[0].state
    expect(await eventually(state, (now) => now === 'Joined')).toBe('Joined')
    await call(member, 'POST', at(`/v1/instances/${name}/stop`))
    expect(await eventually(state, (now) => now === 'Left')).toBe('Left')
    await leave(name, 'live')
  })

  test('is put into groups by whoever may change it', async () => {
    const web = await newInstance()
    const viewer = await bed.signIn('viewer')
    expect((await call(viewer, 'PUT', of(web, 'mine'), {})).status).toBe(403)
    expect((await call(viewer, 'GET', of(web))).status).toBe(200)
    expect((await call(bed.anonymous, 'GET', '/v1/multicast-groups')).status).toBe(401)
  })

  test('is told of in what happened', async () => {
    const web = await newInstance()
    await join(web, 'told')
    await leave(web, 'told')
    const notes = await bed.db
      .selectFrom('change')
      .select(['kind', 'after'])
      .where('kind', '=', 'multicast-group-member')
      .execute()
    expect(JSON.stringify(notes)).toContain(web)
  })

  test('joins many groups at once, of which each has an address of its own', async () => {
    const webs = await Promise.all(Array.from({ length: 5 }, newInstance))
    const answers = await Promise.all(webs.map((web, n) => join(web, `at-once-${n}`)))
    const addresses = answers.flatMap(({ status, body }) => (status === 201 ? [body.multicast_ip] : []))
    expect(new Set(addresses)).toEqual(new Set(['224.1.1.1', '224.1.1.2', '224.1.1.3']))
    expect(answers.filter(({ status }) => status === 507)).toHaveLength(2)
    for (const [n, web] of webs.entries()) await leave(web, `at-once-${n}`)
  })
})

describe('a pool of multicast addresses', () => {
  const add = (name: string, first: string, last: string) =>
    operator.post(`${pools}/${name}/ranges/add`, { first, last })

  test.each([
    ['v4', '10.0.0.1', '10.0.0.9', 'The range has addresses that are not multicast'],
    ['v4', '223.255.255.255', '224.0.1.0', 'The range has addresses that are not multicast'],
    ['v4', '224.0.0.255', '224.0.1.9', 'The range includes multicast addresses of one link (224.0.0.0/24)'],
    ['v4', '231.255.255.255', '232.0.0.9', 'The range mixes source-specific and any-source addresses'],
    ['v4', '231.0.0.0', '233.0.0.0', 'The range mixes source-specific and any-source addresses'],
    ['v6', 'ff02::1', 'ff02::9', 'The range includes multicast addresses of one link (ff02::/16)'],
    ['v6', 'ff04::1', 'ff04::9', 'The range includes multicast addresses of the rack itself (ff04::/64)'],
    ['v6', 'fd00::1', 'fd00::9', 'The range has addresses that are not multicast'],
  ])('of %s has no range %s to %s', async (ip_version, first, last, message) => {
    const name = fresh('refusing')
    await call(operator, 'POST', pools, { name, description: '', pool_type: 'multicast', ip_version })
    expect(said(await add(name, first, last))).toBe(`400 ${message}`)
  })

  test('is not one of unicast addresses', async () => {
    expect(said(await add('external', '224.5.5.5', '224.5.5.9'))).toBe(
      '400 The range has multicast addresses',
    )
    expect(said(await add('external', '223.255.255.250', '224.0.0.9'))).toBe(
      '400 The range has multicast addresses',
    )
    const [{ name }] = (await call(member, 'GET', '/v1/ip-pools?pool_type=multicast')).body.items
    const address = { type: 'auto', pool_selector: { type: 'explicit', pool: name } }
    const floating = { name: 'no-group', description: '', address_allocator: address }
    expect((await call(member, 'POST', at('/v1/floating-ips'), floating)).status).toBe(404)
    expect((await call(operator, 'GET', `${pools}?pool_type=unicast`)).body.items).not.toContainEqual(
      expect.objectContaining({ pool_type: 'multicast' }),
    )
    expect(
      said(await call(operator, 'POST', `${pools}/${name}/assignment`, { assignment: 'system_services' })),
    ).toBe("400 the system's services have unicast addresses")
  })

  test('is a default beside that of unicast addresses', async () => {
    const items = (await call(member, 'GET', '/v1/ip-pools')).body.items as {
      is_default: boolean
      pool_type: string
    }[]
    expect(
      items
        .filter(({ is_default }) => is_default)
        .map(({ pool_type }) => pool_type)
        .sort(),
    ).toEqual(['multicast', 'unicast'])
  })

  test('keeps what its groups need', async () => {
    const name = await addPool([['224.7.7.1', '224.7.7.1']])
    const web = await newInstance()
    await join(web, '224.7.7.1')
    const range = { first: '224.7.7.1', last: '224.7.7.1' }
    expect(said(await operator.post(`${pools}/${name}/ranges/remove`, range))).toBe(
      '400 IP pool ranges cannot be deleted while multicast groups have addresses of them',
    )
    expect(said(await operator.call('DELETE', `${pools}/${name}/silos/demo`))).toBe(
      '400 instances of the silo are members of multicast groups of this pool',
    )
    await leave(web, '224.7.7.1')
    expect(said(await operator.call('DELETE', `${pools}/${name}/silos/demo`))).toBe('204')
    expect(said(await operator.post(`${pools}/${name}/ranges/remove`, range))).toBe('204')
  })

  test('of IPv6 is asked for where there are both', async () => {
    const name = await addPool([['ff0e::1', 'ff0e::2']], { ip_version: 'v6' })
    const web = await newInstance()
    expect(said(await join(web, 'either'))).toBe(
      '400 the silo has pools of multicast addresses of both IP versions',
    )
    expect((await join(web, 'six', { ip_version: 'v6' })).body.multicast_ip).toBe('ff0e::1')
    expect((await join(web, 'by-source', { source_ips: ['fd00::7'] })).body.multicast_ip).toBe('ff0e::2')
    expect((await join(web, 'four', { ip_version: 'v4' })).body.multicast_ip).toBe('224.1.1.1')
    await call(member, 'DELETE', at(`/v1/instances/${web}`))
    await operator.call('DELETE', `${pools}/${name}/silos/demo`)
  })
})

test('an installation whose networks carry no multicast says so', async () => {
  const real = await testControlPlane({
    environment: { fleet: (host) => ({ ...simulatedFleet(host), isSimulated: false }) },
  })
  try {
    const me = await real.signIn('member')
    const body = {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 1,
      memory: 2 ** 30,
      start: false,
      multicast_groups: [{ group: 'news' }],
    }
    const message = '400 The networks of this installation carry no multicast'
    expect(said(await call(me, 'POST', at('/v1/instances'), body))).toBe(message)
    expect((await call(me, 'POST', at('/v1/instances'), { ...body, multicast_groups: [] })).status).toBe(201)
    expect(said(await call(me, 'PUT', of('web', 'news'), {}))).toBe(message)
  } finally {
    await real.stop()
  }
})

describe('clients of the first dated versions', () => {
  const older = '2025112000.0.0'
  const first = (method: string, path: string) => call(member, method, path, undefined, older)

  test('join and leave without a body, and are shown members without addresses', async () => {
    const instance = await newInstance()
    const joined = await first('PUT', of(instance, '224.1.1.3'))
    expect([joined.status, 'source_ips' in joined.body, 'multicast_ip' in joined.body]).toEqual([
      201,
      false,
      false,
    ])
    expect((await first('GET', of(instance))).body.items).toHaveLength(1)
    expect(said(await first('DELETE', of(instance, '224.1.1.3')))).toBe('204')
  })
})

import type { RunState } from '@gantry/api/compute/instance.rules'
import type { ActivityEntry } from '@gantry/api/history/activity'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
let member: Caller
let count = 0
const fresh = (word: string) => `${word}-${++count}`
const pools = '/v1/system/subnet-pools'

beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  for (const name of ['net', 'other']) await member.post('/v1/projects', { name, description: '' })
})
afterAll(() => bed.stop())

/** A pool with members, linked to the silo. */
async function addPool(
  members: readonly object[],
  more: { ip_version?: 'v4' | 'v6'; silo?: string | null } = {},
) {
  const { ip_version = 'v4', silo = 'demo' } = more
  const name = fresh('pool')
  expect(said(await operator.post(pools, { name, description: '', ip_version }))).toBe('201')
  for (const one of members)
    expect(said(await operator.post(`${pools}/${name}/members/add`, one))).toBe('201')
  const linked = silo && (await operator.post(`${pools}/${name}/silos`, { silo, is_default: false }))
  expect(linked ? said(linked) : silo).toBe(linked ? '201' : null)
  return name
}
const at = (path: string, project = 'net') => `/v1/${path}?project=${project}`
const create = (allocator: object, name = fresh('subnet'), project = 'net') =>
  member.post(at('external-subnets', project), { name, description: '', allocator })
const auto = (prefix_length: number, pool: string) => ({
  type: 'auto',
  prefix_length,
  pool_selector: { type: 'explicit', pool },
})
const exactly = (subnet: string) => ({ type: 'explicit', subnet })
const subnetsIn = async (pool: string, lengths: readonly number[]) => {
  const subnets: string[] = []
  for (const length of lengths) {
    const { status, body } = await create(auto(length, pool))
    subnets.push(status === 201 ? body.subnet : body.message)
  }
  return subnets
}
const route = (name: string, verb = '', project = 'net') => at(`external-subnets/${name}${verb}`, project)
const attach = (name: string, instance: string) => member.post(route(name, '/attach'), { instance })
const detach = (name: string) => member.post(route(name, '/detach'))
async function addInstance(more: object = {}, project = 'net'): Promise<string> {
  const name = fresh('web')
  const body = { name, description: '', hostname: name, ncpus: 1, memory: 2 ** 30, start: false, ...more }
  expect(said(await member.post(at('instances', project), body))).toBe('201')
  return name
}
const setState = (name: string, run_state: RunState) =>
  bed.db.updateTable('instance').set({ run_state }).where('name', '=', name).execute()

describe('allocation', () => {
  test('takes the lowest free block of a size, and one in a recycle bin only where no other is free', async () => {
    const pool = await addPool([{ subnet: '10.60.0.0/24' }])
    expect(await subnetsIn(pool, [30, 28, 30, 32, 26])).toEqual([
      '10.60.0.0/30',
      '10.60.0.16/28',
      '10.60.0.4/30',
      '10.60.0.8/32',
      '10.60.0.64/26',
    ])
    const { items } = (await member.get(at('external-subnets'))).body
    const held = items.find(({ subnet }: { subnet: string }) => subnet === '10.60.0.16/28')
    expect(said(await member.call('DELETE', `/v1/external-subnets/${held.id}`))).toBe('204')
    const inBin = async () => (await member.get('/ext/v1/recycle-bin?project=net')).body.items
    expect(await inBin()).toHaveLength(1)
    expect(await subnetsIn(pool, [29, 29, 29, 25, 26])).toEqual([
      '10.60.0.32/29',
      '10.60.0.40/29',
      '10.60.0.48/29',
      '10.60.0.128/25',
      `No subnet with prefix length 26 is available in subnet pool ${pool}`,
    ])
    const use = () => operator.get(`${pools}/${pool}/utilization`).then(({ body }) => body)
    const all = { capacity: 256, remaining: 256 - (4 + 16 + 4 + 1 + 64 + 8 + 8 + 8 + 128) }
    expect(await use()).toEqual(all)
    expect(await inBin()).toHaveLength(1)
    expect(await subnetsIn(pool, [28])).toEqual(['10.60.0.16/28'])
    expect(await inBin()).toEqual([])
    expect(await use()).toEqual(all)
  })

  test('of a block in a recycle bin frees it, as the removal of its member does', async () => {
    const subnet = '10.67.0.0/28'
    const pool = await addPool([{ subnet }])
    const [first, second] = [fresh('subnet'), fresh('subnet')]
    for (const name of [first, second]) {
      expect(said(await create(exactly(subnet), name))).toBe('201')
      expect(said(await member.call('DELETE', route(name)))).toBe('204')
    }
    const { items } = (await member.get('/ext/v1/recycle-bin?project=net')).body
    expect(items.map(({ name }: { name: string }) => name)).toEqual([second])
    expect(said(await operator.post(`${pools}/${pool}/members/remove`, { subnet }))).toBe('204')
    expect((await member.get('/ext/v1/recycle-bin?project=net')).body.items).toEqual([])
  })

  test('is not restored once the pool has no member with the block', async () => {
    const subnet = '10.69.0.0/28'
    const pool = await addPool([{ subnet }])
    const name = fresh('subnet')
    expect(said(await create(exactly(subnet), name))).toBe('201')
    expect(said(await member.call('DELETE', route(name)))).toBe('204')
    const { items } = (await member.get('/ext/v1/recycle-bin?project=net')).body
    const item = items.find((each: { name: string }) => each.name === name)
    const restore = () => member.post(`/ext/v1/recycle-bin/${item.id}/restore`, {})
    // As a removal leaves it that skips an item which is being restored.
    const { id } = await bed.db
      .selectFrom('subnet_pool')
      .select('id')
      .where('name', '=', pool)
      .executeTakeFirstOrThrow()
    const gone = await bed.db
      .deleteFrom('subnet_pool_member')
      .where('subnet_pool_id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    expect(said(await restore())).toBe(`400 ${subnet} is not reserved any more`)
    await bed.db.insertInto('subnet_pool_member').values(gone).execute()
    expect(said(await restore())).toBe('201')
    expect((await member.get(route(name))).body.subnet).toBe(subnet)
  })

  test('passes over members that do not admit the length, in the order of their networks', async () => {
    const pool = await addPool([
      { subnet: '10.61.2.0/24', min_prefix_length: 26, max_prefix_length: 28 },
      { subnet: '10.61.1.0/24', min_prefix_length: 30 },
    ])
    expect(await subnetsIn(pool, [31, 28, 25, 33, 255])).toEqual([
      '10.61.1.0/31',
      '10.61.2.0/28',
      `No subnet with prefix length 25 is available in subnet pool ${pool}`,
      `No subnet with prefix length 33 is available in subnet pool ${pool}`,
      `No subnet with prefix length 255 is available in subnet pool ${pool}`,
    ])
  })

  test('counts addresses of IPv6 beyond what a number holds', async () => {
    const pool = await addPool([{ subnet: '2001:db8:60::/48' }], { ip_version: 'v6' })
    expect(await subnetsIn(pool, [64, 56, 128])).toEqual([
      '2001:db8:60::/64',
      '2001:db8:60:100::/56',
      '2001:db8:60:1::/128',
    ])
    const use = (await operator.get(`${pools}/${pool}/utilization`)).body
    expect(use.capacity).toBe(2 ** 80)
    expect(use.remaining).toBeLessThan(2 ** 80)
  })

  test('holds the first and the last block of all addresses', async () => {
    const pool = await addPool([{ subnet: 'fe00::/7', min_prefix_length: 8 }], { ip_version: 'v6' })
    expect(await subnetsIn(pool, [8, 8, 8])).toEqual([
      'fe00::/8',
      'ff00::/8',
      `No subnet with prefix length 8 is available in subnet pool ${pool}`,
    ])
  })

  test('gives a block that is asked for, unless it overlaps, lies outside, or has another length', async () => {
    await addPool([{ subnet: '10.62.0.0/24', min_prefix_length: 26, max_prefix_length: 30 }])
    await addPool([{ subnet: '10.62.1.0/24' }], { silo: null })
    const outside = (subnet: string) =>
      `400 The requested subnet ${subnet} is not contained in any available subnet pool`
    expect(said(await create(exactly('10.62.0.64/28')))).toBe('201')
    for (const [subnet, answer] of [
      ['10.62.0.64/28', '400 The requested subnet 10.62.0.64/28 overlaps with an existing external subnet'],
      ['10.62.0.72/30', '400 The requested subnet 10.62.0.72/30 overlaps with an existing external subnet'],
      ['10.62.0.64/26', '400 The requested subnet 10.62.0.64/26 overlaps with an existing external subnet'],
      ['10.62.0.0/24', outside('10.62.0.0/24')],
      ['10.62.0.4/31', outside('10.62.0.4/31')],
      ['10.62.1.0/28', outside('10.62.1.0/28')],
      ['10.62.0.0/23', outside('10.62.0.0/23')],
      ['2001:db8:62::/64', outside('2001:db8:62::/64')],
      ['10.62.0.65/28', '400 10.62.0.65/28 has host bits set; the network is 10.62.0.64/28'],
    ] as const)
      expect(said(await create(exactly(subnet)))).toBe(answer)
  })

  test('needs a pool of the silo, by name or as its default of a version', async () => {
    const unlinked = await addPool([{ subnet: '10.63.0.0/24' }], { silo: null })
    expect(said(await create(auto(28, unlinked)))).toBe(`404 not found: subnet-pool with name "${unlinked}"`)
    const ofVersion = (ip_version?: string) => ({
      type: 'auto',
      prefix_length: 32,
      ...(ip_version && { pool_selector: { type: 'auto', ip_version } }),
    })
    expect((await create(ofVersion())).body.subnet).toMatch(/^198\.18\.6/)
    expect(said(await create(ofVersion('v6')))).toBe('400 the silo has no default subnet pool of IPv6')
    const six = await addPool([{ subnet: '2001:db8:63::/48', min_prefix_length: 32 + 16 }], {
      ip_version: 'v6',
    })
    expect(said(await operator.call('PUT', `${pools}/${six}/silos/demo`, { is_default: true }))).toBe('200')
    expect(said(await create(ofVersion()))).toBe('400 the silo has a default subnet pool of each IP version')
    expect((await create({ ...ofVersion('v6'), prefix_length: 64 })).body.subnet).toBe('2001:db8:63::/64')
    const { items } = (await member.get('/v1/subnet-pools')).body
    expect(items.filter(({ is_default }: { is_default: boolean }) => is_default)).toHaveLength(2)
    expect(said(await operator.call('PUT', `${pools}/${six}/silos/demo`, { is_default: false }))).toBe('200')
  })

  test('gives concurrent requests different blocks, and no more than there are', async () => {
    const pool = await addPool([{ subnet: '10.64.0.0/30' }])
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(auto(32, pool))))
    const subnets = answers.flatMap(({ status, body }) => (status === 201 ? [body.subnet] : []))
    expect(new Set(subnets).size).toBe(4)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(2)
  })

  test('refuses a name that the project has', async () => {
    const pool = await addPool([{ subnet: '10.65.0.0/24' }])
    expect(said(await create(auto(28, pool), 'twice'))).toBe('201')
    expect(said(await create(auto(28, pool), 'twice'))).toBe('400 already exists: external-subnet "twice"')
    expect(said(await create(auto(28, pool), 'twice', 'other'))).toBe('201')
  })
})

describe('attachment', () => {
  let pool: string
  beforeAll(async () => {
    pool = await addPool([{ subnet: '10.66.0.0/16' }])
  })
  const given = async (name = fresh('subnet')) => {
    expect(said(await create(auto(30, pool), name))).toBe('201')
    return name
  }

  test('is to one instance at a time, and ends before the subnet is deleted', async () => {
    const [web, api, name] = [await addInstance(), await addInstance(), await given()]
    expect(said(await detach(name))).toBe('400 external subnet is not attached to an instance')
    const attached = await attach(name, web)
    expect([attached.status, typeof attached.body.instance_id]).toEqual([202, 'string'])
    // Nothing changes a second time.
    expect((await attach(name, web)).body).toEqual(attached.body)
    expect(said(await attach(name, api))).toBe(
      '400 external subnet cannot be attached to one instance while still attached to another',
    )
    expect((await member.get(at(`instances/${web}/external-subnets`))).body.items).toEqual([attached.body])
    expect(said(await member.call('DELETE', route(name)))).toBe(
      '400 External subnet cannot be deleted while attached to an instance',
    )
    expect((await detach(name)).body).toMatchObject({ name, instance_id: null })
    expect(said(await member.call('DELETE', route(name)))).toBe('204')
    expect(said(await member.get(route(name)))).toBe(`404 not found: external-subnet with name "${name}"`)
  })

  test.each([
    ['creating', '400 cannot attach external subnet while the instance is in state "creating"'],
    ['starting', '400 cannot attach external subnet while the instance is in state "starting"'],
    ['failed', '400 cannot attach external subnet while the instance is in state "failed"'],
    ['migrating', '503 Service Unavailable'],
    ['running', '202'],
    ['stopped', '202'],
  ] as const)('to an instance that is %s answers %s', async (state, answer) => {
    const [web, name] = [await addInstance(), await given()]
    await setState(web, state)
    expect(said(await attach(name, web))).toBe(answer)
    await setState(web, 'stopped')
  })

  test('stays within the project, and is found there by name', async () => {
    const [away, name] = [await addInstance({}, 'other'), await given()]
    const { id } = (await member.get(at(`instances/${away}`, 'other'))).body
    expect(said(await attach(name, id))).toBe(
      '400 external subnet must be in the same project as the instance',
    )
    expect(said(await attach(name, away))).toBe(`404 not found: instance with name "${away}"`)
  })

  test('needs a primary address of its IP version', async () => {
    const bare = await addInstance({ network_interfaces: { type: 'none' } })
    expect(said(await attach(await given(), bare))).toBe(
      '400 the instance has no primary private address of IPv4',
    )
    const six = await addPool([{ subnet: '2001:db8:66::/48' }], { ip_version: 'v6' })
    const name = fresh('six')
    expect(said(await create(auto(64, six), name))).toBe('201')
    expect(said(await attach(name, await addInstance()))).toBe(
      '400 the instance has no primary private address of IPv6',
    )
  })

  test('of more than 32 subnets is refused', async () => {
    const web = await addInstance()
    const answers: string[] = []
    for (let at = 0; at < 33; at++) answers.push(said(await attach(await given(), web)))
    expect(answers.slice(0, 32).every((answer) => answer === '202')).toBe(true)
    expect(answers[32]).toBe('400 An instance may not have more than 32 external subnets')
  })

  test('comes back with the instance, unless the subnet was given to another', async () => {
    const [web, kept, moved] = [await addInstance(), await given(), await given()]
    for (const name of [kept, moved]) expect((await attach(name, web)).status).toBe(202)
    const { id } = (await member.get(at(`instances/${web}`))).body
    expect(said(await member.call('DELETE', at(`instances/${web}`)))).toBe('204')
    expect((await attach(moved, await addInstance())).status).toBe(202)
    const { items } = (await member.get('/ext/v1/recycle-bin?project=net')).body
    const item = items.find(({ object_id }: { object_id: string }) => object_id === id)
    const restored = await member.post(`/ext/v1/recycle-bin/${item.id}/restore`, {})
    expect(said(restored)).toBe('201')
    const stepOf = (name: string) =>
      restored.body.steps.find((step: { kind: string; name: string }) => step.name === name)
    expect(stepOf(kept)).toMatchObject({ kind: 'external-subnet', outcome: 'back' })
    const elsewhere = 'It is attached to another instance now.'
    expect(stepOf(moved)).toMatchObject({ kind: 'external-subnet', outcome: 'lost', detail: elsewhere })
    expect((await member.get(route(kept))).body.instance_id).toBe(id)
  })

  test('ends with the instance, and a project with a subnet stays', async () => {
    const [web, name] = [await addInstance(), await given()]
    await attach(name, web)
    expect(said(await member.call('DELETE', at(`instances/${web}`)))).toBe('204')
    expect((await member.get(route(name))).body.instance_id).toBeNull()
    await member.post('/v1/projects', { name: 'short', description: '' })
    expect(said(await create(auto(30, pool), 'kept', 'short'))).toBe('201')
    await member.call('DELETE', '/v1/vpc-subnets/default?project=short&vpc=default')
    await member.call('DELETE', '/v1/vpcs/default?project=short')
    const refused = await member.call('DELETE', '/v1/projects/short')
    expect(said(refused)).toBe('400 project to be deleted contains an external subnet: kept')
    expect(said(await member.call('DELETE', route('kept', '', 'short')))).toBe('204')
    expect(said(await member.call('DELETE', '/v1/projects/short'))).toBe('204')
  })

  test('goes one way when two attach and delete concurrently', async () => {
    const [web, name] = [await addInstance(), await given()]
    const [attached, deleted] = await Promise.all([attach(name, web), member.call('DELETE', route(name))])
    const outcomes = [attached.status, deleted.status].join(' ')
    expect(['202 400', '404 204']).toContain(outcomes)
  })

  test('is found by an address within, by what holds it, and in the order of blocks', async () => {
    const found = async (filter: string) =>
      (
        await member.get(`/ext/v1/external-subnets?project=net&filter=${encodeURIComponent(filter)}`)
      ).body.items.map(({ subnet }: { subnet: string }) => subnet)
    const six = await addPool([{ subnet: '2001:db8:68::/48' }], { ip_version: 'v6' })
    const four = await addPool([{ subnet: '10.68.0.0/24' }])
    for (const [length, pool] of [
      [64, six],
      [30, four],
      [29, four],
    ] as const)
      expect((await create(auto(length, pool), fresh('ordered'))).status).toBe(201)
    expect(await found('subnet:10.68.0.9')).toEqual(['10.68.0.8/29'])
    expect(await found('10.68.0.0/29')).toEqual(['10.68.0.0/30'])
    expect(await found('subnet:2001:db8:68::1')).toEqual(['2001:db8:68::/64'])
    expect(await found('name:ordered* instance:none sort:-subnet')).toEqual([
      '2001:db8:68::/64',
      '10.68.0.8/29',
      '10.68.0.0/30',
    ])
  })

  test('is told of, and can be taken back', async () => {
    const [web, name] = [await addInstance(), await given()]
    const { id } = (await attach(name, web)).body
    const { items } = (await member.get(`/ext/v1/activity?object=${id}`)).body
    const told = items.map((entry: ActivityEntry) => entry.changes[0]?.action)
    expect(told).toEqual(['attached', 'created'])
    const path = `/ext/v1/activity/${items[0].id}/revert`
    const { hash } = (await member.get(path)).body
    expect(said(await member.post(path, { hash, keep: [] }))).toBe('204')
    expect((await member.get(route(name))).body.instance_id).toBeNull()
  })
})

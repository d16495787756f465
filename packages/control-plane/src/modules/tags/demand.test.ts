import { createsTagged, kindsCreatedBy } from '@gantry/api/tags/created-tags.rules'
import { tagsHeader, tagsOfHeader, tagsToHeader } from '@gantry/api/tags/tags-header.rules'
import { taggedKinds } from '@gantry/api/tags/tag.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { machine, newDisk } from '../../testing/case-values.ts'
import { type Caller, said, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'

let bed: TestBed
let member: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  admin = await bed.signIn('admin')
  await made(member, '/v1/projects', { name: 'new', description: '' })
})
afterAll(() => bed.stop())

const at = 'project=new'
const header = (text: string) => ({ [tagsHeader]: text })
const create = (name: string, text?: string, by = member) =>
  by.call('POST', `/v1/disks?${at}`, newDisk(name), text === undefined ? {} : header(text))
const tagsOf = async (kind: string, id: string) =>
  Object.fromEntries(
    (await member.get(`/ext/v1/tags/${id}?kind=${kind}`)).body.tags.map(
      ({ key, value }: { key: string; value: string }) => [key, value],
    ),
  )
const demand = (keys: string[], kinds: string[], is_for_all_clients = false, by = admin) =>
  by.call('PUT', '/ext/v1/tag-demand', { keys, kinds, is_for_all_clients })
const vpc = (name: string) => ({ name, description: '', dns_name: name })

test('the header carries every text of a tag', () => {
  const tags = [
    { key: 'env', value: 'a=b&c d+e%' },
    { key: 'team', value: 'Größe 名前' },
    { key: 'empty', value: '' },
  ]
  expect(tagsOfHeader(tagsToHeader(tags))).toEqual(tags)
})

test('each operation of the table creates a kind that can have tags', () => {
  for (const name of createsTagged)
    for (const kind of kindsCreatedBy(name) ?? []) expect(taggedKinds).toContain(kind)
})

describe('what is created has the tags of its request', () => {
  test('in the same change, and is found by them at once', async () => {
    const made = await create('tagged', 'env=prod&team=Gr%C3%B6%C3%9Fe')
    expect(said(made)).toBe('201')
    expect(await tagsOf('disk', made.body.id)).toEqual({ env: 'prod', team: 'Größe' })
    const found = await member.get(`/ext/v1/disks?${at}&filter=tag:env=prod`)
    expect(found.body.items.map(({ name }: { name: string }) => name)).toEqual(['tagged'])
    const created = (await member.get(`/ext/v1/activity?${at}&kind=disk&action=created`)).body.items
    expect(created).toHaveLength(1)
  })

  test('with the disks of a new instance, and nothing else that comes with it', async () => {
    const body = {
      ...machine('machine'),
      disks: [{ type: 'create', ...newDisk('boot') }],
      network_interfaces: { type: 'default' },
    }
    const made = await member.call('POST', `/v1/instances?${at}`, body, header('env=test'))
    expect(said(made)).toBe('201')
    expect(await tagsOf('instance', made.body.id)).toEqual({ env: 'test' })
    const boot = (await member.get(`/v1/disks/boot?${at}`)).body
    expect(await tagsOf('disk', boot.id)).toEqual({ env: 'test' })
    const [nic] = (await member.get(`/v1/network-interfaces?${at}&instance=machine`)).body.items
    expect(await tagsOf('instance-network-interface', nic.id)).toEqual({})
  })

  test('but what is below a new VPC has none of them', async () => {
    const made = await member.call('POST', `/v1/vpcs?${at}`, vpc('net'), header('env=prod'))
    expect(await tagsOf('vpc', made.body.id)).toEqual({ env: 'prod' })
    const [subnet] = (await member.get(`/v1/vpc-subnets?${at}&vpc=net`)).body.items
    expect(await tagsOf('vpc-subnet', subnet.id)).toEqual({})
  })

  test.each([
    ['gantry.x=1', 'the tag "gantry.x" belongs to the platform'],
    ['Env=1', 'the key of a tag must begin with a lower-case letter'],
    ['env=1&env=2', 'the key "env" is given twice'],
    ['env=%00', 'must not contain control characters'],
    [`env=${'x'.repeat(257)}`, 'at most 256 characters'],
    [Array.from({ length: 51 }, (_, index) => `k${index}=v`).join('&'), 'at most 50'],
    ['x'.repeat(8193), 'longer than 8192 characters'],
  ])('refuses %.30s, and creates nothing', async (text, message) => {
    const refused = await create('refused', text)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain(message)
    expect((await member.get(`/v1/disks/refused?${at}`)).status).toBe(404)
  })

  test('and no other operation takes the header', async () => {
    const refused = await member.call('PUT', '/v1/projects/new', { description: 'x' }, header('env=prod'))
    expect(refused.body.message).toBe(`this operation takes no ${tagsHeader} header`)
  })

  test('a stranger learns nothing from it', async () => {
    const stranger = await bed.addUser('stranger')
    expect((await create('theirs', 'Env=1', stranger)).status).toBe(400)
    expect((await create('theirs', 'env=1', stranger)).status).toBe(404)
  })
})

describe('a silo that demands tags', () => {
  afterAll(() => demand([], []))

  test('is set by its administrators, and read by its users', async () => {
    expect((await demand(['env'], ['disk'], false, member)).status).toBe(403)
    expect((await demand(['Env'], ['disk'])).status).toBe(400)
    expect((await demand(['gantry.env'], ['disk'])).status).toBe(400)
    expect((await demand(['team', 'env', 'env'], ['vpc', 'disk'])).body).toEqual({
      keys: ['env', 'team'],
      kinds: ['disk', 'vpc'],
      is_for_all_clients: false,
    })
    expect((await member.get('/ext/v1/tag-demand')).body.keys).toEqual(['env', 'team'])
  })

  test('refuses clients that know tags, names the keys, and lets others create as before', async () => {
    await demand(['env', 'team'], ['disk'])
    const refused = await create('bare', 'env=prod&team=')
    expect(refused.body.message).toBe(
      'in this silo, a new object of this kind needs tags with these keys: team',
    )
    expect(refused.body.help).toContain('team=VALUE')
    expect((await create('bare', '')).status).toBe(400)
    expect((await create('bare')).status).toBe(201)
    expect((await create('full', 'env=prod&team=web')).status).toBe(201)
    // Kinds that it does not name need none.
    expect((await member.call('POST', `/v1/vpcs?${at}`, vpc('free'), header(''))).status).toBe(201)
  })

  test('refuses every client if it says so', async () => {
    await demand(['env'], ['disk'], true)
    const refused = await create('nameless')
    expect(refused.status).toBe(400)
    expect(refused.body.details).toEqual({ tag_keys: ['env'] })
    expect((await create('nameless', 'env=prod')).status).toBe(201)
  })

  test('keeps the tags of a saved plan, and demands them of it', async () => {
    await demand(['env'], ['vpc'])
    const request = { method: 'POST', path: `/v1/vpcs?${at}`, body: JSON.stringify(vpc('planned')) }
    const bare = await member.post('/ext/v1/saved-plans', { ...request, tags: [] })
    expect(bare.body.message).toContain('needs tags')
    const tags = [{ key: 'env', value: 'prod' }]
    const saved = (await member.post('/ext/v1/saved-plans', { ...request, tags })).body
    const plan = `/ext/v1/saved-plans/${saved.id}`
    const view = (await member.get(plan)).body
    expect(view.tags).toEqual(tags)
    expect((await member.post(`${plan}/commit`, { hash: view.plan.hash })).status).toBe(200)
    const made = (await member.get(`/v1/vpcs/planned?${at}`)).body
    expect(await tagsOf('vpc', made.id)).toEqual({ env: 'prod' })
    const other = { method: 'PUT', path: '/v1/projects/new', body: '{"description":"y"}', tags }
    expect((await member.post('/ext/v1/saved-plans', other)).body.message).toContain('creates nothing')
  })

  test('tells of the change, and takes it back', async () => {
    await demand([], [])
    await demand(['cost'], ['instance'])
    const [entry] = (await admin.get('/ext/v1/activity?limit=1')).body.items
    expect(entry).toMatchObject({ is_revertible: true, changes: [{ kind: 'silo-tag-demand' }] })
    const path = `/ext/v1/activity/${entry.id}/revert`
    const { hash } = (await admin.get(path)).body
    expect((await admin.post(path, { hash, keep: [] })).status).toBe(204)
    expect((await admin.get('/ext/v1/tag-demand')).body.keys).toEqual([])
  })
})

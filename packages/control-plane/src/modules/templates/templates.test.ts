import type { InstanceAction } from '@gantry/api/compute/instance-action'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

const GiB = 1024 ** 3
const url = '/ext/v1/instance-templates'
const inProject = '?project=playground'
let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const at = (path: string) => `/v1/${path}${inProject}`
const blank = { type: 'blank', block_size: 512 }
const hardware = { ncpus: 1, memory: GiB }
const create = (name: string, settings: object, fixed: string[] = [], where = inProject, who = me) =>
  who.post(`${url}${where}`, {
    name,
    description: '',
    settings: { hardware, start: false, ...settings },
    fixed,
  })
async function made(name: string, settings: object, fixed: string[] = []): Promise<string> {
  const answer = await create(name, settings, fixed)
  expect(said(answer)).toBe('201')
  return answer.body.id
}
const use = (template: string, body: object, who = me) =>
  who.post(`${url}/${template}/instances${inProject}`, body)
const view = async (name: string) => (await me.get(`${url}/${name}${inProject}`)).body
const disksOf = async (instance: string) =>
  (await me.get(`/v1/instances/${instance}/disks${inProject}`)).body.items as { name: string; size: number }[]
async function debian(): Promise<string> {
  const { items } = (await me.get('/v1/images')).body
  return items.find(({ name }: { name: string }) => name === 'debian-13').id
}

test('an instance gets everything that the template keeps, and only the rest from the request', async () => {
  const image_id = await debian()
  await made('web', {
    boot_source: { type: 'image', image_id },
    boot_size: 12 * GiB,
    disks: [{ name: 'data', description: 'of the template', size: GiB, disk_source: blank }],
    network_interfaces: {
      type: 'create',
      params: [{ name: 'eth0', description: '', vpc: 'default', subnet: 'default' }],
    },
    user_data: btoa('#cloud-config\n'),
    auto_restart_policy: 'never',
    tags: [{ key: 'env', value: 'prod' }],
  })
  const { settings, references } = await view('web')
  const names = references.map((one: { field: string; kind: string; name: string }) => [
    one.field,
    one.kind,
    one.name,
  ])
  expect(names).toEqual([
    ['boot_source', 'image', 'debian-13'],
    ['network_interfaces', 'vpc', 'default'],
    ['network_interfaces', 'vpc-subnet', 'default'],
  ])
  expect(settings.network_interfaces.params[0].vpc).toMatch(/^[0-9a-f-]{36}$/)

  const { status, body } = await use('web', { name: 'web-a', memory: 2 * GiB })
  expect(status).toBe(201)
  expect(body).toMatchObject({ ncpus: 1, memory: 2 * GiB, hostname: 'web-a', auto_restart_policy: 'never' })
  const disks = await disksOf('web-a')
  expect(disks.map(({ size }) => size / GiB).sort((a, b) => a - b)).toEqual([1, 12])
  expect(disks.every(({ name }) => name.startsWith('web-a-'))).toBe(true)
  const { items } = (await me.get(`/v1/network-interfaces${inProject}&instance=web-a`)).body
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['eth0'])
  const { tags } = (await me.get(`/ext/v1/tags/${body.id}?kind=instance`)).body
  expect(tags).toEqual([{ key: 'env', value: 'prod' }])
  // A template can be used as often as wanted.
  expect(said(await use('web', { name: 'web-b', tags: [] }))).toBe('201')
})

test('what is fixed cannot be changed, and sending the same is no change', async () => {
  const pool = (await me.get('/v1/ip-pools')).body.items[0]
  const fixed = [
    'hardware',
    'boot_size',
    'disks',
    'network_interfaces',
    'external_ips',
    'user_data',
    'start',
    'tags',
  ]
  await made(
    'fixed',
    {
      disks: [{ name: 'data', description: '', size: GiB, disk_source: blank }],
      network_interfaces: {
        type: 'create',
        params: [{ name: 'eth0', description: '', vpc: 'default', subnet: 'default' }],
      },
      external_ips: [{ type: 'ephemeral', pool: pool.name }],
      tags: [{ key: 'env', value: 'prod' }],
    },
    fixed,
  )
  const same = {
    ...hardware,
    disks: [{ type: 'create', name: 'other-name', description: 'x', size: GiB, disk_source: blank }],
    network_interfaces: {
      type: 'create',
      params: [{ name: 'lan', description: '', vpc_name: 'default', subnet_name: 'default' }],
    },
    external_ips: [{ type: 'ephemeral', pool: pool.id }],
    user_data: '',
    start: false,
    tags: [{ key: 'env', value: 'prod' }],
  }
  expect(said(await use('fixed', { name: 'as-told', ...same }))).toBe('201')
  const refused = (what: string) => `400 template "fixed" does not let this be changed: ${what}`
  const others: [object, string][] = [
    [{ ncpus: 2 }, 'hardware'],
    [
      { boot_disk: { type: 'create', name: 'boot', description: '', size: GiB, disk_source: blank } },
      'boot disk size',
    ],
    [{ disks: [] }, 'additional disks'],
    [{ disks: [{ type: 'attach', name: 'mine' }] }, 'additional disks'],
    [{ network_interfaces: { type: 'default' } }, 'network interfaces'],
    [{ external_ips: [] }, 'external ips'],
    [{ user_data: btoa('x') }, 'user data'],
    [{ start: true }, 'start'],
    [{ tags: [] }, 'tags'],
  ]
  for (const [change, what] of others)
    expect(said(await use('fixed', { name: 'other', ...same, ...change }))).toBe(refused(what))
  expect((await me.get(at('instances/other'))).status).toBe(404)
})

test('a default can be fixed too, and a free policy set back to it', async () => {
  await made('plain', { auto_restart_policy: 'never' }, ['boot_source', 'anti_affinity_groups'])
  const boot_disk = { type: 'create', name: 'boot', description: '', size: GiB, disk_source: blank }
  expect(said(await use('plain', { name: 'plain-a', boot_disk }))).toMatch(/^400 .*boot disk source/)
  const { body } = await use('plain', { name: 'plain-a', auto_restart_policy: null })
  expect(body).toMatchObject({ auto_restart_policy: null, boot_disk_id: null })
})

test('a reference that has gone is told, and refused where it would be used', async () => {
  await me.post(at('vpcs'), { name: 'short', description: '', dns_name: 'short' })
  const params = [{ name: 'eth0', description: '', vpc: 'short', subnet: 'default' }]
  await made('lost', { network_interfaces: { type: 'create', params } })
  await me.call('DELETE', `/v1/vpc-subnets/default${inProject}&vpc=short`)
  expect(said(await me.call('DELETE', at('vpcs/short')))).toBe('204')
  expect((await view('lost')).references).toMatchObject([
    { field: 'network_interfaces', kind: 'vpc', name: null, is_gone: true },
    { field: 'network_interfaces', kind: 'vpc-subnet', is_gone: true },
  ])
  expect(said(await use('lost', { name: 'lost-a' }))).toBe(
    '400 the VPC that template "lost" has for its network interfaces no longer exists here',
  )
  expect(said(await use('lost', { name: 'lost-a', network_interfaces: { type: 'none' } }))).toBe('201')
})

test('a template of the silo is for all of its projects, and keeps nothing that belongs to one', async () => {
  const owner = await bed.signIn('admin')
  const image_id = await debian()
  const boot = { boot_source: { type: 'image', image_id }, boot_size: 12 * GiB }
  expect(said(await create('everywhere', boot, ['boot_source'], '', owner))).toBe('201')
  expect(said(await create('everywhere', boot, [], '', owner))).toMatch(/^400 already exists/)
  const params = [{ name: 'eth0', description: '', vpc: 'default', subnet: 'default' }]
  expect(said(await create('net', { network_interfaces: { type: 'create', params } }, [], '', owner))).toBe(
    '400 a VPC belongs to a project and cannot be in a template of the silo',
  )
  // By its name, where the project has none of that name.
  expect(said(await use('everywhere', { name: 'from-silo' }))).toBe('201')
  const { items } = (await owner.get(url)).body
  expect(items).toMatchObject([{ name: 'everywhere', project_id: null, image: { name: 'debian-13' } }])
  expect(
    (await me.get(`${url}${inProject}`)).body.items.map(({ name }: { name: string }) => name),
  ).not.toContain('everywhere')
})

test('several instances come from a template, each with disks of its own', async () => {
  await made('many', { disks: [{ name: 'data', description: '', size: GiB, disk_source: blank }] }, [
    'hardware',
  ])
  const body = { name_pattern: 'many-{n}', count: 3 }
  const path = `${url}/many/instance-batches${inProject}`
  expect(said(await me.post(path, { ...body, ncpus: 2 }))).toMatch(/^400 template "many" does not let/)
  const begun = await me.post(path, body)
  expect(begun.status).toBe(202)
  const { body: over } = await eventually(
    () => {
      bed.pass(500)
      return me.get(`/ext/v1/instance-actions/${begun.body.id}`)
    },
    (answer) => (answer.body as InstanceAction).state === 'done',
    20_000,
  )
  expect((over as InstanceAction).items.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  expect((await disksOf('many-2')).map(({ name }) => name)).toEqual([expect.stringMatching(/^many-2-data-/)])
})

test('edits replace settings as a whole, and only what they name', async () => {
  await made('edited', { user_data: btoa('secret') }, ['start'])
  const edit = (body: object) => me.call('PUT', `${url}/edited${inProject}`, body)
  expect((await edit({ description: 'new' })).body).toMatchObject({
    description: 'new',
    settings: { user_data: btoa('secret'), start: false },
    fixed: ['start'],
  })
  const { body } = await edit({ settings: { hardware: { ncpus: 4, memory: 8 * GiB } }, fixed: [] })
  expect(body.settings).toEqual({ hardware: { ncpus: 4, memory: 8 * GiB } })
  expect(body.fixed).toEqual([])
})

test('bad settings are refused with what to do', async () => {
  const refusals: [object, string[], RegExp][] = [
    [{ hardware: { ncpus: 65, memory: GiB } }, [], /more than 64 vCPUs/],
    [{ hardware: undefined }, ['hardware'], /no hardware that could be fixed/],
    [{ boot_size: GiB }, [], /given together/],
    [{ boot_source: { type: 'image', image_id: await debian() }, boot_size: GiB }, [], /must be greater/],
    [{ anti_affinity_groups: ['nobody'] }, [], /404 not found: anti-affinity-group/],
    [{ external_ips: [{ type: 'ephemeral', pool: 'nobody' }] }, [], /404 not found: ip-pool/],
    [{ disks: Array.from({ length: 9 }, () => ({})) }, [], /^400/],
    [{ user_data: 'not base64!' }, [], /base64/],
    [{}, ['colour'], /^400/],
  ]
  for (const [settings, fixed, words] of refusals)
    expect(said(await create('bad', settings, fixed))).toMatch(words)
})

test('those who may not see a template may not use it, and it stays in its project', async () => {
  const id = await made('mine', {})
  const admin = await bed.signIn('admin')
  const { body: other } = await admin.post('/v1/projects', { name: 'elsewhere', description: '' })
  const stranger = await bed.addUser('stranger', {
    roles: [{ at: { project: other.id }, role: 'collaborator' }],
  })
  const there = `${url}/${id}/instances?project=elsewhere`
  expect(said(await use(id, { name: 'x' }, stranger))).toMatch(/^404 not found: project/)
  expect(said(await stranger.post(there, { name: 'x' }))).toMatch(/^404 not found: instance-template/)
  expect(said(await admin.post(there, { name: 'x' }))).toBe('400 the template belongs to another project')
  const viewer = await bed.signIn('viewer')
  expect(said(await use(id, { name: 'x' }, viewer))).toMatch(/^403/)
})

test('of two uses at once with one name, one creates', async () => {
  await made('raced', { disks: [{ name: 'data', description: '', size: GiB, disk_source: blank }] })
  const answers = await Promise.all([use('raced', { name: 'raced-a' }), use('raced', { name: 'raced-a' })])
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
  expect(await disksOf('raced-a')).toHaveLength(1)
})

test('templates go with their project and come back with it', async () => {
  const owner = await bed.signIn('admin')
  await owner.post('/v1/projects', { name: 'passing', description: '' })
  const where = '?project=passing'
  await create('kept', {}, [], where, owner)
  await owner.call('DELETE', `/v1/vpc-subnets/default${where}&vpc=default`)
  await owner.call('DELETE', `/v1/vpcs/default${where}`)
  expect(said(await owner.call('DELETE', '/v1/projects/passing'))).toBe('204')
  const [item] = (await owner.get('/ext/v1/recycle-bin')).body.items
  expect(item).toMatchObject({ kind: 'project', parts: { 'instance-template': 1 } })
  expect(said(await owner.post(`/ext/v1/recycle-bin/${item.id}/restore`, {}))).toBe('201')
  expect((await owner.get(`${url}${where}`)).body.items).toMatchObject([{ name: 'kept' }])
})

import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { readSearch } from './search-text.ts'

const GiB = 2 ** 30

let bed: TestBed
let admin: Caller
let outsider: Caller
let instance: string
let mac: string
let ip: string
let external: string
beforeAll(async () => {
  bed = await testControlPlane({ idle: true })
  admin = await bed.signIn('admin')
  const project = await made(admin, '/v1/projects', { name: 'atlas', description: '' })
  await made(admin, '/v1/projects', { name: 'other', description: '' })
  outsider = await bed.addUser('outsider', { roles: [{ at: { project }, role: 'viewer' }] })
  const made_in = (kind: string, body: object, name = 'other') =>
    made(admin, `/v1/${kind}?project=${name}`, { description: '', ...body })
  instance = await made_in('instances', {
    name: 'db-primary',
    description: 'Ledger of all orders',
    hostname: 'db',
    ncpus: 1,
    memory: GiB,
    start: false,
    external_ips: [{ type: 'ephemeral' }],
  })
  const disk = await made_in('disks', {
    name: 'db-data',
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  })
  await made_in('snapshots', { name: 'db-monday', disk })
  external = (
    await admin.post('/v1/floating-ips?project=other', {
      name: 'buoy-db',
      description: '',
      address_allocator: { type: 'auto' },
    })
  ).body.ip
  const { items } = (await admin.get(`/v1/network-interfaces?instance=${instance}`)).body
  ;({ mac, ip } = items[0])
  const tags = [{ key: 'env', value: 'prod' }]
  await admin.call('PUT', `/ext/v1/tags/${instance}?kind=instance`, { tags })
})
afterAll(() => bed.stop())

const found = async (text: string, by = admin) => {
  const { status, body } = await by.get(`/ext/v1/search?text=${encodeURIComponent(text)}`)
  expect(status, text).toBe(200)
  return body.items.map(
    ({ kind, name, match }: { kind: string; name: string; match: string }) => `${kind} ${name} by ${match}`,
  )
}

test('finds by all that names an object', async () => {
  expect(await found('db-')).toEqual([
    'disk db-data by name',
    'snapshot db-monday by name',
    'instance db-primary by name',
  ])
  expect(await found('DB-PRIMARY')).toEqual(['instance db-primary by name'])
  expect(await found(instance)).toEqual(['instance db-primary by id'])
  expect(await found(instance.slice(0, 9)), 'a part of an id').toEqual(['instance db-primary by id'])
  expect(await found(instance.slice(0, 6)), 'too few digits').toEqual([])
  for (const text of [ip, `who has ${ip}?`, `${ip}/32`])
    expect((await found(text))[0], text).toBe('instance db-primary by address')
  expect(await found(`Who has ${external}?`)).toEqual(['floating-ip buoy-db by address'])
  expect(await found(mac)).toEqual(['instance db-primary by mac'])
  expect(await found('env=prod')).toEqual(['instance db-primary by tag'])
  expect(await found('tag:env=pr')).toEqual(['instance db-primary by tag'])
  expect(await found('env=test')).toEqual([])
  expect(await found('all ORDERS')).toEqual(['instance db-primary by description'])
})

test('finds external subnets by name, by their block, and by an address that they contain', async () => {
  const pools = '/v1/system/subnet-pools'
  const newest = { [versionHeader]: newestVersionText }
  const send = async (path: string, body: object) =>
    expect((await admin.call('POST', path, { description: '', ...body }, newest)).status).toBeLessThan(300)
  for (const [name, ip_version, subnet] of [
    ['four', 'v4', '203.0.113.0/24'],
    ['six', 'v6', '2001:db8:77::/48'],
  ] as const) {
    await send(pools, { name, ip_version })
    await send(`${pools}/${name}/members/add`, { subnet })
    await send(`${pools}/${name}/silos`, { silo: 'demo', is_default: false })
  }
  for (const [name, subnet] of [
    ['piers', '203.0.113.64/26'],
    ['moles', '2001:db8:77::/64'],
  ])
    await send('/v1/external-subnets?project=other', { name, allocator: { type: 'explicit', subnet } })
  expect(await found('piers')).toEqual(['external-subnet piers by name'])
  for (const text of ['203.0.113.64/26', 'who has 203.0.113.99'])
    expect(await found(text), text).toEqual(['external-subnet piers by address'])
  expect(await found('2001:db8:77::9')).toEqual(['external-subnet moles by address'])
  for (const text of ['203.0.113.1', '203.0.113.0/24', '2001:db8:78::9', '::cb00:7150'])
    expect(await found(text), text).toEqual([])
  for (const text of ['piers', '203.0.113.99']) expect(await found(text, outsider), text).toEqual([])
})

test('finds subnets by name, by their block, and by an address that they contain', async () => {
  await made(admin, '/v1/vpc-subnets?project=other&vpc=default', {
    name: 'ledgers',
    description: '',
    ipv4_block: '10.77.0.0/24',
  })
  const subnet = 'vpc-subnet ledgers by'
  expect(await found('ledgers')).toEqual([`${subnet} name`])
  for (const text of ['10.77.0.0/24', 'who has 10.77.0.9', '10.77.0.128/25'])
    expect(await found(text), text).toEqual([`${subnet} address`])
  for (const text of ['10.77.1.0', '10.77.0.0/23']) expect(await found(text), text).toEqual([])
  const [hit] = (await admin.get('/ext/v1/search?text=10.77.0.9')).body.items
  expect(hit).toMatchObject({ project_name: 'other', vpc_name: 'default', value: '10.77.0.0/24' })
  const { items } = (await admin.get('/v1/vpc-subnets?project=other&vpc=default')).body
  const six: string = items.find(({ name }: { name: string }) => name === 'ledgers').ipv6_block
  const prefix = six.replace('::/64', '')
  for (const text of [six, `who has ${prefix}::9`, `${prefix}:1::/80`])
    expect(await found(text), text).toEqual([`${subnet} address`])
  for (const text of [`${prefix}::/63`, '2001:db8::9']) expect(await found(text), text).toEqual([])
  // The object that has the address goes before the subnets that contain it.
  expect((await found(ip)).slice(0, 2)).toEqual([
    'instance db-primary by address',
    'vpc-subnet default by address',
  ])
  for (const text of ['ledgers', '10.77.0.9', six]) expect(await found(text, outsider), text).toEqual([])
  expect((await admin.call('DELETE', '/v1/vpc-subnets/ledgers?project=other&vpc=default')).status).toBe(204)
  expect(await found('10.77.0.9')).toEqual([])
})

test('a short text begins a part of a name', async () => {
  expect(await found('db')).toEqual([
    'disk db-data by name',
    'snapshot db-monday by name',
    'instance db-primary by name',
    'floating-ip buoy-db by name',
  ])
  expect(await found('b-')).toEqual([])
})

test('none of it is found by those who may not see it', async () => {
  const texts = ['db-', instance, instance.slice(0, 9), ip, external, mac, 'env=prod', 'all orders']
  // Of the subnets that contain the address, one is in a project that they see.
  const others = (text: string) =>
    found(text, outsider).then((all: string[]) => all.filter((hit) => !hit.startsWith('vpc-subnet default')))
  for (const text of texts) expect(await others(text), text).toEqual([])
  expect(await found('atlas', outsider)).toEqual(['project atlas by name'])
})

test('serial numbers and silos are the operators’', async () => {
  const { items } = (await admin.get('/v1/system/hardware/sleds?limit=1')).body
  const { serial } = items[0].baseboard
  expect(await found(serial)).toContain(`sled ${serial} by serial`)
  expect(await found(serial.toLowerCase())).toContain(`sled ${serial} by serial`)
  const disks = (await admin.get('/v1/system/hardware/disks?limit=1')).body.items
  expect(await found(disks[0].serial)).toContain(`physical-disk ${disks[0].serial} by serial`)
  expect(await found('demo')).toContain('silo demo by name')
  expect(await found(serial, outsider)).toEqual([])
  expect(await found('demo', outsider)).toEqual([])
})

test('finds users and groups of the own silo, service accounts and schedules', async () => {
  const account = { name: 'deployer', description: '' }
  await made(admin, '/ext/v1/service-accounts?project=other', account)
  const schedule = { action: 'stop', filter: '', timing: { type: 'daily', at: '03:00' }, timezone: 'UTC' }
  await made(admin, '/ext/v1/schedules?project=other', { name: 'nightly', description: '', ...schedule })
  expect(await found('deploy')).toEqual(['service-account deployer by name'])
  expect(await found('nightly')).toEqual(['schedule nightly by name'])
  expect(await found('Outsid')).toEqual(['silo-user outsider by name'])
  expect(await found('engineers')).toEqual(['silo-group engineers by name'])
  const { items } = (await admin.get('/v1/users')).body
  const { id } = items.find(({ display_name }: { display_name: string }) => display_name === 'outsider')
  expect(await found(id)).toEqual(['silo-user outsider by id'])
  // Those of projects are as hidden as the projects, and the users of another silo as that silo.
  for (const text of ['deploy', 'nightly', 'ada@forge']) expect(await found(text, outsider), text).toEqual([])
  expect(await found('engineers', outsider)).toEqual(['silo-group engineers by name'])
})

test.each([
  ['who has 10.0.0.7', '10.0.0.7'],
  ['  Where is db-1??', 'db-1'],
  ['find', 'find'],
  ['?', ''],
])('%j is read as %j', (text, words) => expect(readSearch(text).words).toBe(words))
